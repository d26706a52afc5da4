/** Whether Redis answers, for the health of the gateway, which goes on without it. */
import { openRedis } from '../../adapters/redis/connection';
import type { PartHealth } from '../../ports/runtime/health';
import { awayDetail } from '../../server/runtime/store-off';
import { withinMilliseconds } from '../../server/runtime/within-milliseconds';
import type { GatewayContext } from '../config';

const maxProbeMilliseconds = 800;

/** Undefined: there is no Redis. */
export const openRedisHealth = ({ config, closing }: GatewayContext): (() => Promise<PartHealth>) | undefined => {
  if (config.REDIS_URL === undefined) return undefined;
  const redis = openRedis(config.REDIS_URL);
  closing.add('health of Redis', async () => redis.disconnect());
  let pending: Promise<boolean> | undefined;
  const answers = (): Promise<boolean> => {
    // One ping at a time: an old one that is answered proves as much.
    pending ??= redis
      .ping()
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        pending = undefined;
      });
    return pending;
  };
  return async () =>
    (await withinMilliseconds(answers(), maxProbeMilliseconds)) === true
      ? { ok: true }
      : { ok: false, detail: awayDetail('REDIS') };
};
