/** First sight of an id, told apart by Redis for all who ask it. */
import { left, right } from 'fp-ts/Either';
import { fault } from '../../domain/kernel/rejection';
import type { Once } from '../ports/once';
import { openRedis } from './connection';

export const openRedisOnce = (url: string, name: string): Once => {
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
