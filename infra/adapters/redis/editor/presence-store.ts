/** Presence in Redis: one expiring hash per document. */
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { PresenceStore, PresenceStoreFault } from '../../../ports/editor/presence-store';
import type { RedisAt } from '../../../server/runtime/redis-address';
import { openRedisAt } from '../connection';

const keyOf = (board: string): string => `presence:${board}`;

const attempt = async <A>(work: () => Promise<A>): Promise<Either<PresenceStoreFault, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('board-unavailable', 'Redis cannot be reached right now.'));
  }
};

export const openRedisPresenceStore = (at: RedisAt): PresenceStore => {
  const redis = openRedisAt(at);
  return {
    write: (board, { upserted, removed: gone }, milliseconds) =>
      attempt(async () => {
        const key = keyOf(board);
        const steps = redis.multi();
        if (upserted.length > 0) steps.hset(key, ...upserted.flat());
        if (gone.length > 0) steps.hdel(key, ...gone);
        await steps.pexpire(key, milliseconds).exec();
      }),
    read: (board) => attempt(() => redis.hvals(keyOf(board))),
    close: async () => redis.disconnect(),
  };
};
