/** Following `$all` through a filter, with checkpoints. */
import assert from 'node:assert/strict';
import { ReadResp } from '@eventstore/db-client/generated/streams_pb';
import { threw } from '../harness/expected-errors';
import { append, follow } from '../harness/raw-calls';
import { appended, replyText } from '../harness/replies';
import type { Server } from '../harness/server-under-test';
import { freshStream, proposed, several } from '../harness/stream-requests';
import { commitOf, isCaughtUp, until } from './subscription-reads';

export const filteredSubscriptionContract = ({ raw }: Server): void => {
  const wanted = (stream: string) => ({ on: 'stream', prefixes: [stream], window: 10, multiplier: 1 }) as const;
  const noise = (count: number) => append(raw(), { stream: freshStream('noise'), events: several(count) });
  /** Where to begin so that nothing of other tests is seen. */
  const here = async (): Promise<bigint> => appended(await noise(1)).position;

  it('delivers matching events only, in catch-up and live', async () => {
    const stream = freshStream('wanted');
    const from = await here();
    for (let round = 0; round < 3; round += 1) {
      await noise(7);
      await append(raw(), { stream, events: several(1) });
    }
    const following = follow(raw(), { from, filter: wanted(stream) });
    const events = (replies: readonly ReadResp[]) => replies.filter((reply) => reply.hasEvent()).map(replyText);
    assert.deepEqual(events(await until(following, isCaughtUp)), ['event 0', 'event 1', 'event 2']);
    await noise(3);
    await append(raw(), { stream, events: several(1) });
    assert.deepEqual(events(await until(following, (reply) => reply.hasEvent())), ['event 3']);
    following.cancel();
  });

  it('sends checkpoints in catch-up that never pass an undelivered event', async () => {
    const stream = freshStream('wanted');
    const from = await here();
    for (let round = 0; round < 20; round += 1) {
      await noise(9);
      await append(raw(), { stream, events: several(round % 3 === 0 ? 1 : 0) });
    }
    const following = follow(raw(), { from, filter: wanted(stream) });
    const replies = (await until(following, isCaughtUp)).slice(1, -1);
    following.cancel();
    const checkpoints = replies.filter((reply) => reply.hasCheckpoint());
    assert.ok(checkpoints.length >= 5, `${checkpoints.length} checkpoints over 187 events`);
    for (const [index, reply] of replies.entries())
      if (reply.hasCheckpoint())
        for (const later of replies.slice(index + 1))
          if (later.hasEvent()) assert.ok(commitOf(later) > commitOf(reply), 'a checkpoint passed an event');
  });

  it('sends checkpoints live though nothing matches, at the positions of events', async () => {
    const from = await here();
    const following = follow(raw(), { from, filter: wanted(freshStream('none')) });
    await until(following, isCaughtUp);
    const positions = new Set<bigint>();
    for (let count = 0; count < 30; count += 1) positions.add(appended(await noise(1)).position);
    const [first] = await until(following, (reply) => reply.hasCheckpoint());
    following.cancel();
    assert.ok(first !== undefined && positions.has(commitOf(first)));
    assert.equal(first.getCheckpoint()?.getPreparePosition(), first.getCheckpoint()?.getCommitPosition());
  });

  it('resumes from a checkpoint without missing or repeating an event', async () => {
    const stream = freshStream('resumed');
    const from = await here();
    for (let round = 0; round < 12; round += 1)
      await append(raw(), { stream: round % 4 === 0 ? stream : freshStream('noise'), events: several(4) });
    const first = follow(raw(), { from, filter: wanted(stream) });
    const before = await until(
      first,
      (reply) => reply.hasCheckpoint() && BigInt(reply.getCheckpoint()?.getCommitPosition() ?? 0) > from,
    );
    first.cancel();
    const second = follow(raw(), { from: commitOf(before.at(-1) ?? new ReadResp()), filter: wanted(stream) });
    const after = await until(second, isCaughtUp);
    second.cancel();
    const events = [...before, ...after].filter((reply) => reply.hasEvent()).map(replyText);
    assert.deepEqual(
      events,
      Array.from({ length: 12 }, (_, revision) => `event ${revision}`),
    );
  });

  it('follows by type', async () => {
    const type = `Only${Date.now()}`;
    const from = await here();
    await append(raw(), { stream: freshStream('typed'), events: [proposed(), proposed({ type }), proposed()] });
    const following = follow(raw(), { from, filter: { on: 'type', prefixes: [type] } });
    const replies = await until(following, isCaughtUp);
    following.cancel();
    assert.deepEqual(replies.filter((reply) => reply.hasEvent()).map(replyText), ['event 1']);
  });

  it('refuses a checkpoint interval of nothing', async () => {
    const answer = await follow(raw(), { filter: { ...wanted('a'), multiplier: 0 } }).next();
    assert.deepEqual(answer, threw);
  });
};
