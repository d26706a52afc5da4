/** Opens the recorder of authorization decisions; undefined without Redis. */
import { createAuthEventSink } from '../../adapters/redis/auth-events/auth-event-sink';
import { openRedis } from '../../adapters/redis/connection';
import { type AuthEventRecorder, createAuthEventRecorder } from '../auth-events/auth-event-recorder';
import type { GatewayContext } from '../config';

export const openAuthEvents = ({ config, context, closing }: GatewayContext): AuthEventRecorder | undefined => {
  if (config.REDIS_URL === undefined) return undefined;
  const redis = openRedis(config.REDIS_URL);
  const sink = createAuthEventSink(redis, context);
  closing.add('authorization decisions', async () => {
    await sink.close();
    redis.disconnect();
  });
  return createAuthEventRecorder({ record: sink.record, audience: config.AUDIENCE, now: Date.now });
};
