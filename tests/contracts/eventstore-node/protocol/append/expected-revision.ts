/** Append: what is expected of the stream, and the positions that come of it. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { append, follow, read } from '../harness/raw-calls';
import { appended, currentOf, eventsOf, isFailed, replyText, wrongVersion } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { type Expected, freshStream, several } from '../harness/stream-requests';

/** What an append to a stream of so many events answers: the last revision, or where the stream is instead. */
const expectations: readonly (readonly [events: number, expected: Expected, answer: number | 'refused'])[] = [
  [0, 'any', 0],
  [0, 'no_stream', 0],
  [0, 'stream_exists', 'refused'],
  [0, 0, 'refused'],
  [3, 'any', 3],
  [3, 'no_stream', 'refused'],
  [3, 'stream_exists', 3],
  [3, 2, 3],
  [3, 1, 'refused'],
  [3, 3, 'refused'],
  [3, 2n ** 62n, 'refused'],
];

const expectedRevisions = ({ raw }: Server): void => {
  for (const [events, expected, answer] of expectations)
    it(`answers ${answer} to ${expected} at ${events} events`, async () => {
      const stream = freshStream('expected');
      if (events > 0) appended(await append(raw(), { stream, events: several(events) }));
      const reply = await append(raw(), { stream, expected, events: several(1) });
      if (answer === 'refused') assert.equal(currentOf(wrongVersion(reply)), events - 1);
      else assert.equal(appended(reply).revision, answer);
    });

  it('echoes a refused revision in both generations of fields', async () => {
    const stream = freshStream('echo');
    await append(raw(), { stream, events: several(2) });
    const wrong = wrongVersion(await append(raw(), { stream, expected: 7, events: several(1) }));
    assert.equal(wrong.getExpectedRevision(), '7');
    assert.equal(wrong.getExpectedRevision2060(), 7);
    assert.equal(wrong.getCurrentRevision(), '1');
    assert.equal(wrong.getCurrentRevision2060(), 1);
  });

  it('echoes refused no_stream and stream_exists in both generations of fields', async () => {
    const stream = freshStream('echo');
    const exists = wrongVersion(await append(raw(), { stream, expected: 'stream_exists', events: several(1) }));
    assert.deepEqual([exists.hasExpectedStreamExists(), exists.hasStreamExists2060()], [true, true]);
    assert.deepEqual([exists.hasCurrentNoStream(), exists.hasNoStream2060()], [true, true]);
    await append(raw(), { stream, events: several(1) });
    const none = wrongVersion(await append(raw(), { stream, expected: 'no_stream', events: several(1) }));
    assert.equal(none.hasExpectedNoStream(), true);
    assert.equal(BigInt(none.getExpectedRevision2060()), 2n ** 64n);
  });

  it('refuses an append that expects nothing in particular', async () => {
    const reply = await append(raw(), { stream: freshStream('unset'), expected: 'unset', events: several(1) });
    assert.ok(isFailed(reply));
    assert.equal(reply.code, status.INVALID_ARGUMENT);
  });
};

const positions = ({ raw }: Server): void => {
  it('gives each event a position of its own, growing, and answers the last', async () => {
    const stream = freshStream('positions');
    const { position } = appended(await append(raw(), { stream, events: several(3) }));
    const found = eventsOf(await read(raw(), { stream, count: 10 })).map((event) => [
      BigInt(event.getCommitPosition()),
      BigInt(event.getPreparePosition()),
    ]);
    const commits = found.map(([commit]) => commit);
    assert.deepEqual(
      commits,
      commits.toSorted((a, b) => ((a ?? 0n) < (b ?? 0n) ? -1 : 1)),
    );
    assert.equal(new Set(commits).size, 3);
    assert.deepEqual(found.at(-1), [position, position]);
  });

  it('accepts an append of nothing where the stream is, leaving it there', async () => {
    const stream = freshStream('empty');
    assert.equal(appended(await append(raw(), { stream, events: [] })).revision, -1);
    await append(raw(), { stream, events: several(2) });
    assert.equal(appended(await append(raw(), { stream, events: [] })).revision, 1);
    assert.equal(appended(await append(raw(), { stream, expected: 1, events: [] })).revision, 1);
    assert.equal(currentOf(wrongVersion(await append(raw(), { stream, expected: 0, events: [] }))), 1);
  });

  it('answers an append of nothing with a position that hides no later event from a subscription', async () => {
    const stream = freshStream('empty');
    const { position } = appended(await append(raw(), { stream, events: [] }));
    appended(await append(raw(), { stream, events: several(1) }));
    const following = follow(raw(), { from: position, filter: { on: 'stream', prefixes: [stream] } });
    const replies: string[] = [];
    for (;;) {
      const reply = await following.next();
      replies.push(isFailed(reply) ? `failed ${reply.code}` : replyText(reply));
      if (replies.at(-1) === 'caught up' || isFailed(reply)) break;
    }
    following.cancel();
    assert.deepEqual(replies, ['confirmation', 'event 0', 'caught up']);
  });
};

export const appendExpectedContract = (server: Server): void => {
  describe('expected revisions', () => expectedRevisions(server));
  describe('positions', () => positions(server));
};
