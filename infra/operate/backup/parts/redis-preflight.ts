/** Redis has nothing that a backup needs. It must be empty before a restore, because its views have checkpoints of the old log. */

import { openRedis, serversOf } from '../../../adapters/redis/connection';
import { OperatorError } from '../../launch/operator-error';

export const requireEmptyRedis = async (address: string): Promise<void> => {
  const redis = openRedis(address);
  try {
    const sizes = await Promise.all((await serversOf(redis)).map((server) => server.dbsize()));
    if (sizes.some((size) => size > 0))
      throw new OperatorError('Redis is in use: empty it first. Its views are rebuilt from the log.');
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw new OperatorError('Redis cannot be reached.');
  } finally {
    redis.disconnect();
  }
};
