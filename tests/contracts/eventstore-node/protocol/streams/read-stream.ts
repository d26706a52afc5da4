/** Reading a stream: both ways, bounded, and the positions that come with it. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { badCombination } from '../harness/expected-errors';
import { append, failure, read } from '../harness/raw-calls';
import { type ReadBy, readRequest } from '../harness/read-requests';
import { eventsOf, isFailed, textsOf } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, proposed, several } from '../harness/stream-requests';

/** Replies to a read of a stream of five events. */
const readings: readonly (readonly [by: Omit<ReadBy, 'stream'>, replies: readonly string[]])[] = [
  [{ count: 2 }, ['event 0', 'event 1', 'last 4']],
  [{ from: 3, count: 10 }, ['event 3', 'event 4', 'last 4']],
  [{ from: 5, count: 10 }, ['last 4']],
  [{ from: 9, count: 10 }, ['first 5', 'last 4']],
  [{ from: 'end', backwards: true, count: 2 }, ['event 4', 'event 3', 'last 4']],
  [{ from: 99, backwards: true, count: 1 }, ['event 4', 'last 4']],
  [{ from: 2, backwards: true, count: 10 }, ['event 2', 'event 1', 'event 0', 'last 4']],
  [{ from: 'start', backwards: true, count: 10 }, ['event 0', 'last 4']],
  [{ count: 2, compatibility: 0 }, ['event 0', 'event 1']],
  [{ from: 9, count: 2, compatibility: 0 }, []],
];

const wayOf = ({ backwards = false, from = 'start', count, compatibility = 1 }: Omit<ReadBy, 'stream'>): string =>
  `${count} ${backwards ? 'backwards' : 'forwards'} from ${from} at compatibility ${compatibility}`;

const readError = failure(status.UNKNOWN, 'Unexpected ReadStreamResult: Error');

export const readStreamContract = ({ raw }: Server): void => {
  const streamOf = async (count: number): Promise<string> => {
    const stream = freshStream('read');
    for (let left = count; left > 0; left -= 500) await append(raw(), { stream, events: several(Math.min(left, 500)) });
    return stream;
  };

  let five = '';
  before(async () => {
    five = await streamOf(5);
  });
  for (const [by, replies] of readings)
    it(`answers ${replies.join(', ') || 'nothing'} to ${wayOf(by)}`, async () =>
      assert.deepEqual(textsOf(await read(raw(), { stream: five, ...by })), replies));

  for (const backwards of [false, true])
    it(`says not found of a missing stream, ${backwards ? 'backwards' : 'forwards'}`, async () => {
      const stream = freshStream('missing');
      const answer = await read(raw(), { stream, backwards, count: 1 });
      assert.deepEqual(textsOf(answer), ['not found']);
      const name = answer.replies[0]?.getStreamNotFound()?.getStreamIdentifier()?.getStreamName_asU8();
      assert.equal(Buffer.from(name ?? []).toString(), stream);
    });

  it('reads every event of a long stream in order, both ways', async () => {
    const stream = await streamOf(2500);
    const revisions = async (by: Omit<ReadBy, 'stream'>) =>
      eventsOf(await read(raw(), { stream, ...by })).map((event) => Number(event.getStreamRevision()));
    const all = Array.from({ length: 2500 }, (_, index) => index);
    assert.deepEqual(await revisions({ count: 10_000 }), all);
    assert.deepEqual(await revisions({ from: 'end', backwards: true, count: 10_000 }), all.toReversed());
    assert.deepEqual(await revisions({ from: 700, count: 1000 }), all.slice(700, 1700));
  });

  it('does not mix the events of neighbouring streams', async () => {
    const [one, two] = [freshStream('near'), freshStream('near')];
    for (let round = 0; round < 3; round += 1)
      for (const stream of [one, two]) await append(raw(), { stream, events: [proposed({ type: stream })] });
    for (const stream of [one, two])
      for (const backwards of [false, true]) {
        const events = eventsOf(await read(raw(), { stream, backwards, from: backwards ? 'end' : 'start', count: 99 }));
        assert.deepEqual(new Set(events.map((event) => event.getMetadataMap().get('type'))), new Set([stream]));
        assert.equal(events.length, 3);
      }
  });

  it('answers structured ids where they are requested', async () => {
    const stream = freshStream('ids');
    const event = proposed({ id: 'fedcba98-7654-4321-8fed-cba987654321' });
    await append(raw(), { stream, events: [event] });
    const [found] = eventsOf(await read(raw(), { stream, count: 1, structuredIds: true }));
    const halves = found?.getId()?.getStructured();
    const hex = [halves?.getMostSignificantBits(), halves?.getLeastSignificantBits()].map((half) =>
      BigInt.asUintN(64, BigInt(half ?? '')).toString(16),
    );
    assert.equal(hex.join(''), event.id.replaceAll('-', ''));
    const [text] = eventsOf(await read(raw(), { stream, count: 1 }));
    assert.equal(text?.getId()?.getString(), event.id);
  });

  it('gives the log position of each event in the reply and in the event', async () => {
    const { replies } = await read(raw(), { stream: five, count: 5 });
    for (const reply of replies.slice(0, 5)) {
      const event = reply.getEvent();
      assert.equal(event?.getCommitPosition(), event?.getEvent()?.getCommitPosition());
      assert.equal(event?.getEvent()?.getPreparePosition(), event?.getEvent()?.getCommitPosition());
    }
  });

  const refused: readonly (readonly [what: string, by: Omit<ReadBy, 'stream'>])[] = [
    ['forwards from the end', { from: 'end', count: 1 }],
    ['from the largest revision there is', { from: 2n ** 64n - 1n, count: 1 }],
    ['no events', { count: 0 }],
    ['no events backwards', { from: 'end', backwards: true, count: 0 }],
  ];
  for (const [what, by] of refused)
    it(`refuses to read ${what}`, async () =>
      assert.deepEqual((await read(raw(), { stream: five, ...by })).failed, readError));

  it('refuses a filter on a stream', async () => {
    const answer = await read(raw(), { stream: five, count: 1, filter: { on: 'type', prefixes: ['a'] } });
    assert.deepEqual(answer.failed, badCombination);
  });

  it('accepts a read that is given up midway, and answers others meanwhile', async () => {
    const stream = await streamOf(1500);
    const call = raw().read(readRequest({ stream, count: 1500 }));
    call.on('error', () => undefined);
    await new Promise<void>((resolve) => call.once('readable', resolve));
    call.cancel();
    const reply = await append(raw(), { stream, expected: 1499, events: several(1) });
    assert.equal(isFailed(reply), false);
  });
};
