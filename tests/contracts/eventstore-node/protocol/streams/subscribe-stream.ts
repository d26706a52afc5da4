/** Following a stream: what was, that it is over, then what comes. */
import assert from 'node:assert/strict';
import { badCombination, deleted } from '../harness/expected-errors';
import { append, follow, softDelete, tombstone } from '../harness/raw-calls';
import type { ReadBy } from '../harness/read-requests';
import { followedTexts } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, several } from '../harness/stream-requests';

/** Replies until live to a subscription to three events. */
const starts: readonly (readonly [from: ReadBy['from'], replies: readonly string[]])[] = [
  ['start', ['confirmation', 'event 0', 'event 1', 'event 2', 'caught up']],
  [0, ['confirmation', 'event 1', 'event 2', 'caught up']],
  [2, ['confirmation', 'caught up']],
  ['end', ['confirmation', 'caught up']],
];

export const subscribeStreamContract = ({ raw }: Server): void => {
  const streamOf = async (count: number): Promise<string> => {
    const stream = freshStream('followed');
    await append(raw(), { stream, events: several(count) });
    return stream;
  };
  const write = (stream: string, count = 1) => append(raw(), { stream, events: several(count) });

  for (const [from, replies] of starts)
    it(`begins after ${from}, catches up, sends one caught-up message, and goes on live`, async () => {
      const stream = await streamOf(3);
      const following = follow(raw(), { stream, from });
      assert.deepEqual(await followedTexts(following, replies.length), replies);
      await write(stream, 2);
      await write(stream);
      assert.deepEqual(await followedTexts(following, 3), ['event 3', 'event 4', 'event 5']);
      following.cancel();
    });

  it('gives each subscription an id of its own', async () => {
    const stream = await streamOf(1);
    const ids = new Set<string>();
    for (let count = 0; count < 2; count += 1) {
      const following = follow(raw(), { stream });
      const reply = await following.next();
      ids.add('getConfirmation' in reply ? (reply.getConfirmation()?.getSubscriptionId() ?? '') : '');
      following.cancel();
    }
    assert.equal(ids.size, 2);
    for (const id of ids) assert.match(id, /^[0-9a-f-]{36}$/);
  });

  it('waits for a missing stream to begin', async () => {
    const stream = freshStream('later');
    const following = follow(raw(), { stream });
    assert.deepEqual(await followedTexts(following, 1), ['confirmation']);
    await write(stream, 2);
    assert.deepEqual(await followedTexts(following, 3), ['event 0', 'event 1', 'caught up']);
    await write(stream);
    assert.deepEqual(await followedTexts(following, 1), ['event 2']);
    following.cancel();
  });

  it('follows a missing stream from its end', async () => {
    const stream = freshStream('later');
    const following = follow(raw(), { stream, from: 'end' });
    assert.deepEqual(await followedTexts(following, 2), ['confirmation', 'caught up']);
    await write(stream);
    assert.deepEqual(await followedTexts(following, 1), ['event 0']);
    following.cancel();
  });

  it('skips events up to a revision beyond the end', async () => {
    const stream = await streamOf(2);
    const following = follow(raw(), { stream, from: 3 });
    assert.deepEqual(await followedTexts(following, 2), ['confirmation', 'caught up']);
    await write(stream, 3);
    assert.deepEqual(await followedTexts(following, 1), ['event 4']);
    following.cancel();
  });

  it('delivers the end of a tombstoned stream, then ends', async () => {
    const stream = await streamOf(1);
    const following = follow(raw(), { stream });
    assert.deepEqual(await followedTexts(following, 3), ['confirmation', 'event 0', 'caught up']);
    await tombstone(raw(), stream);
    assert.deepEqual(await followedTexts(following, 1), ['event 9223372036854775807']);
    assert.deepEqual(await following.next(), deleted(stream));
  });

  it('ends at once on a stream that is tombstoned already, and is silent from its end', async () => {
    const stream = await streamOf(1);
    await tombstone(raw(), stream);
    assert.deepEqual(await follow(raw(), { stream }).next(), deleted(stream));
    const silent = follow(raw(), { stream, from: 'end' });
    assert.deepEqual(await followedTexts(silent, 2), ['confirmation', 'caught up']);
    silent.cancel();
  });

  it('sees nothing of a soft delete, and goes on when the stream is used again', async () => {
    const stream = await streamOf(2);
    const following = follow(raw(), { stream, from: 'end' });
    await followedTexts(following, 2);
    await softDelete(raw(), stream);
    await write(stream);
    assert.deepEqual(await followedTexts(following, 1), ['event 2']);
    following.cancel();
  });

  it('catches up with a long stream while it grows, in order and without a gap', async () => {
    const stream = await streamOf(1000);
    const following = follow(raw(), { stream });
    await followedTexts(following, 1);
    const writing = Promise.all(Array.from({ length: 200 }, () => write(stream)));
    const revisions: string[] = [];
    while (revisions.length < 1200)
      revisions.push(...(await followedTexts(following, 1)).filter((text) => text !== 'caught up'));
    await writing;
    following.cancel();
    assert.deepEqual(
      revisions,
      Array.from({ length: 1200 }, (_, revision) => `event ${revision}`),
    );
  });

  it('refuses to follow backwards', async () => {
    const following = follow(raw(), { stream: await streamOf(1), backwards: true });
    assert.deepEqual(await following.next(), badCombination);
  });
};
