/** Registers the first use of one-time ids in Redis, across processes. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../../../domain/kernel/rejection';
import type { ReplayCache } from '../../../ports/identity/replay-cache';
import { openRedis } from '../connection';

export const openRedisReplayCache = (url: string, name: string): ReplayCache => {
  const redis = openRedis(url);
  return {
    first: async (id, milliseconds) => {
      try {
        return right((await redis.set(`once:${name}:${id}`, '', 'PX', Math.ceil(milliseconds), 'NX')) === 'OK');
      } catch {
        return left(fault('service-unavailable', 'Redis cannot be reached right now.'));
      }
    },
    close: async () => redis.disconnect(),
  };
};
