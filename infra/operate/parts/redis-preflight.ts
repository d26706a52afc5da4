/** Redis has nothing that a backup needs. It must be empty before a restore, because its views have checkpoints of the old log. */
import Redis from 'ioredis';
import { OperatorError } from '../../launch/operator-error';

const connectMilliseconds = 5_000;

export const requireEmptyRedis = async (url: string): Promise<void> => {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null, connectTimeout: connectMilliseconds });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    if ((await redis.dbsize()) > 0)
      throw new OperatorError('Redis is in use: empty it first. Its views are rebuilt from the log.');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError('Redis cannot be reached.');
  } finally {
    redis.disconnect();
  }
};
