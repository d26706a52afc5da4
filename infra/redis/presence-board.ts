/** Boards in Redis: a hash each, which expires. */
import { type Either, left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { BoardFault, PresenceBoard } from '../ports/presence-board';
import { openRedisAt, type RedisAt } from './connection';

const keyOf = (board: string): string => `presence:${board}`;

const asked = async <A>(work: () => Promise<A>): Promise<Either<BoardFault, A>> => {
  try {
    return right(await work());
  } catch {
    return left(fault('board-unavailable', 'Redis cannot be reached right now.'));
  }
};

export const openRedisPresence = (at: RedisAt): PresenceBoard => {
  const redis = openRedisAt(at);
  return {
    write: (board, { there, left: gone }, milliseconds) =>
      asked(async () => {
        const key = keyOf(board);
        const steps = redis.multi();
        if (there.length > 0) steps.hset(key, ...there.flat());
        if (gone.length > 0) steps.hdel(key, ...gone);
        await steps.pexpire(key, milliseconds).exec();
      }),
    read: (board) => asked(() => redis.hvals(keyOf(board))),
    close: async () => redis.disconnect(),
  };
};
