/** Redis holds nothing that a backup needs, and must hold nothing when one is restored: its views know how far they have come. */
import Redis from 'ioredis';
import { Stop } from '../launch/stop';

const connectMilliseconds = 5_000;

export const refuseRedis = async (url: string): Promise<void> => {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: connectMilliseconds });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    if ((await redis.dbsize()) > 0)
      throw new Stop('Redis is in use: empty it first. All that it held is made anew from the log.');
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop('Redis cannot be reached.');
  } finally {
    redis.disconnect();
  }
};
