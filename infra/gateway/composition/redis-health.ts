/** Whether Redis answers, for the health of the gateway, which goes on without it. */
import { openRedis } from '../../adapters/redis/connection';
import { createRedisHealth } from '../../adapters/redis/health';
import type { PartHealth } from '../../ports/runtime/health';
import type { GatewayContext } from '../config';

/** Undefined: there is no Redis. */
export const openRedisHealth = ({ config, closing }: GatewayContext): (() => Promise<PartHealth>) | undefined => {
  if (config.REDIS_URL === undefined) return undefined;
  const redis = openRedis(config.REDIS_URL);
  closing.add('health of Redis', async () => redis.disconnect());
  return createRedisHealth(redis);
};
