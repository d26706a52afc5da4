/** Following `$all`. */
import assert from 'node:assert/strict';
import { status } from '@grpc/grpc-js';
import { threw } from '../harness/expected-errors';
import { append, follow, read } from '../harness/raw-calls';
import { appended, eventsOf, followedTexts, isFailed, replyText } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, several } from '../harness/stream-requests';
import { commitOf, isCaughtUp, until } from './subscription-reads';

export const subscribeAllContract = ({ raw }: Server): void => {
  const written = async (count: number, stream = freshStream('all')) => {
    const { position } = appended(await append(raw(), { stream, events: several(count) }));
    const events = eventsOf(await read(raw(), { stream, from: 'end', backwards: true, count }));
    return { stream, position, first: BigInt(events.at(-1)?.getCommitPosition() ?? '') };
  };

  it('begins after a position, sends one caught-up message, and goes on live', async () => {
    const { first, stream } = await written(3);
    const following = follow(raw(), { from: first });
    assert.deepEqual(await followedTexts(following, 4), ['confirmation', 'event 1', 'event 2', 'caught up']);
    const { position } = await written(2, stream);
    const live = await until(following, (reply) => commitOf(reply) === position);
    following.cancel();
    assert.deepEqual(live.map(replyText), ['event 3', 'event 4']);
  });

  it('begins with what comes next from the end', async () => {
    await written(3);
    const following = follow(raw(), { from: 'end' });
    assert.deepEqual(await followedTexts(following, 2), ['confirmation', 'caught up']);
    const { stream } = await written(1);
    const [event] = await until(following, () => true);
    following.cancel();
    assert.equal(
      Buffer.from(event?.getEvent()?.getEvent()?.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString(),
      stream,
    );
  });

  it('follows everything from the start in the order of the log', async () => {
    const { position } = await written(1);
    const following = follow(raw(), { from: 'start' });
    const replies = await until(following, isCaughtUp);
    following.cancel();
    const commits = replies.filter((reply) => reply.hasEvent()).map(commitOf);
    assert.deepEqual(
      commits,
      commits.toSorted((a, b) => (a < b ? -1 : 1)),
    );
    assert.equal(new Set(commits).size, commits.length);
    assert.equal(commits.at(-1), position);
    assert.equal(
      replies.some((reply) => reply.hasCheckpoint()),
      false,
    );
  });

  it('refuses a position where no event begins, and backwards', async () => {
    const { first } = await written(2);
    assert.deepEqual(await follow(raw(), { from: first + 1n }).next(), threw);
    const backwards = await follow(raw(), { from: 'end', backwards: true }).next();
    assert.ok(isFailed(backwards));
    assert.equal(backwards.code, status.INVALID_ARGUMENT);
  });
};
