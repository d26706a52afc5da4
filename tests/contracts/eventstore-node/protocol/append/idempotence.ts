/** The same events again: answered as the first time when they are recognised, and when they are not. */
import assert from 'node:assert/strict';
import { append, read } from '../harness/raw-calls';
import { appended, currentOf, eventsOf, wrongVersion } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, type Proposed, proposed, several } from '../harness/stream-requests';

const parts = (events: readonly Proposed[], ...indexes: readonly number[]): readonly Proposed[] =>
  indexes.map((index) => events[index] ?? proposed());

export const idempotenceContract = ({ raw }: Server): void => {
  /** Five events, the first three and the last two written apart. */
  const written = async () => {
    const stream = freshStream('again');
    const events = several(5);
    const first = appended(await append(raw(), { stream, events: events.slice(0, 3) }));
    const second = appended(await append(raw(), { stream, events: events.slice(3) }));
    return { stream, events, first, second };
  };
  const count = async (stream: string) => eventsOf(await read(raw(), { stream, count: 100 })).length;

  for (const expected of ['any', 'stream_exists'] as const)
    it(`answers a whole append with ${expected} again as the first time`, async () => {
      const { stream, events, first, second } = await written();
      assert.deepEqual(appended(await append(raw(), { stream, expected, events: events.slice(0, 3) })), first);
      assert.deepEqual(appended(await append(raw(), { stream, expected, events: events.slice(3) })), second);
      assert.equal(await count(stream), 5);
    });

  it('recognises with any a prefix, a suffix and a single event of an earlier append', async () => {
    const { stream, events } = await written();
    const answers = [parts(events, 0, 1), parts(events, 1, 2), parts(events, 4)].map((again) =>
      append(raw(), { stream, events: again }),
    );
    assert.deepEqual(
      (await Promise.all(answers)).map((answer) => appended(answer).revision),
      [1, 2, 4],
    );
    assert.equal(await count(stream), 5);
  });

  it('appends with any when the first id is new, though later ones are known', async () => {
    const { stream, events } = await written();
    assert.equal(appended(await append(raw(), { stream, events: [proposed(), ...parts(events, 0)] })).revision, 6);
  });

  it('refuses with any when the first id is known and a later one is not', async () => {
    const { stream, events } = await written();
    const reply = await append(raw(), { stream, events: [...parts(events, 0), proposed()] });
    assert.equal(currentOf(wrongVersion(reply)), 4);
    assert.equal(await count(stream), 5);
  });

  it('answers a past revision followed by exactly these events as the first time', async () => {
    const { stream, events, first, second } = await written();
    const again = (expected: number | 'no_stream', from: number, to: number) =>
      append(raw(), { stream, expected, events: events.slice(from, to) });
    assert.deepEqual(appended(await again('no_stream', 0, 3)), first);
    assert.deepEqual(appended(await again(2, 3, 5)), second);
    assert.equal(appended(await again(0, 1, 3)).revision, 2);
    assert.equal(appended(await again('no_stream', 0, 5)).revision, 4);
    assert.equal(await count(stream), 5);
  });

  it('refuses a past revision followed by other events, at the first or a later one', async () => {
    const { stream, events } = await written();
    for (const other of [several(1), [...parts(events, 0), proposed()], [...events, proposed()]]) {
      const reply = await append(raw(), { stream, expected: 'no_stream', events: other });
      assert.equal(currentOf(wrongVersion(reply)), 4);
    }
    assert.equal(await count(stream), 5);
  });

  it('appends at the current revision whatever the ids', async () => {
    const { stream, events } = await written();
    const reply = await append(raw(), { stream, expected: 4, events: events.slice(0, 2) });
    assert.equal(appended(reply).revision, 6);
  });

  it('stores an id twice within one append', async () => {
    const stream = freshStream('twice');
    const event = proposed();
    assert.equal(appended(await append(raw(), { stream, events: [event, event] })).revision, 1);
    assert.equal(await count(stream), 2);
  });

  it('does not mistake the ids of one stream for those of another', async () => {
    const { events } = await written();
    const other = freshStream('other');
    assert.equal(appended(await append(raw(), { stream: other, events })).revision, 4);
  });

  it('recognises an append that is sent twice at once', async () => {
    const stream = freshStream('race');
    const events = several(3);
    const answers = await Promise.all(Array.from({ length: 8 }, () => append(raw(), { stream, events })));
    assert.deepEqual(new Set(answers.map((answer) => appended(answer).revision)), new Set([2]));
    assert.equal(await count(stream), 3);
  });

  it('lets exactly one of many appends at the same revision win', async () => {
    const stream = freshStream('race');
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => append(raw(), { stream, expected: 'no_stream', events: several(2) })),
    );
    const won = answers.filter((answer) => 'getSuccess' in answer && answer.getSuccess() !== undefined);
    assert.equal(won.length, 1);
    assert.equal(await count(stream), 2);
  });
};
