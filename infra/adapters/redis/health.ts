/** Whether Redis answers, for the health of processes that go on without it. */
import type { PartHealth } from '../../ports/runtime/health';
import { awayDetail } from '../../server/runtime/store-off';
import { withinMilliseconds } from '../../server/runtime/within-milliseconds';
import type { RedisConnection } from './connection';

const maxProbeMilliseconds = 800;

export const createRedisHealth = (redis: Pick<RedisConnection, 'ping'>): (() => Promise<PartHealth>) => {
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
