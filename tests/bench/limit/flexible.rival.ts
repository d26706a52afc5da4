import Redis from 'ioredis';
import { RateLimiterRedis, RateLimiterUnion } from 'rate-limiter-flexible';
import type { Rival } from './contestants';

const rejected = (reason: unknown): boolean => {
  if (reason instanceof Error) throw reason;
  return false;
};

/** Fixed windows are what it has. */
export const rival: Rival['rival'] = (url, limits) => {
  const storeClient = new Redis(url);
  const limiters = limits.map(
    ({ points, seconds: duration }, index) =>
      new RateLimiterRedis({ storeClient, keyPrefix: `rival${index}`, points, duration }),
  );
  const [first] = limiters as [RateLimiterRedis, ...RateLimiterRedis[]];
  const together = limiters.length === 1 ? first : new RateLimiterUnion(...limiters);
  return {
    take: (user) => together.consume(user).then(() => true, rejected),
    used: async (index, user) => (await limiters[index]?.get(user))?.consumedPoints ?? 0,
    close: async () => storeClient.disconnect(),
  };
};
