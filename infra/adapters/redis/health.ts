/** Whether Redis answers, for the health of processes that go on without it. */
import type { PartHealth } from '../../ports/runtime/health';
import { awayDetail } from '../../server/runtime/store-off';
import { withinMilliseconds } from '../../server/runtime/within-milliseconds';
import type { RedisConnection } from './connection';

/** Well below the second that the platform's health waits for a process. */
const maxProbeMilliseconds = 600;

export const createRedisHealth = (redis: Pick<RedisConnection, 'ping'>): (() => Promise<PartHealth>) => {
  let pending: Promise<boolean> | undefined;
  let isAway = false;
  const answers = (): Promise<boolean> => {
    // One ping at a time: an old one that is answered proves as much.
    pending ??= redis
      .ping()
      .then(
        () => true,
        () => false,
      )
      .then((isAnswered) => {
        isAway = !isAnswered;
        pending = undefined;
        return isAnswered;
      });
    return pending;
  };
  return async () => {
    const answered = answers();
    // While it is away, reports do not wait for it: they have what was found last.
    if (!isAway && (await withinMilliseconds(answered, maxProbeMilliseconds)) === true) return { ok: true };
    isAway = true;
    return { ok: false, detail: awayDetail('REDIS') };
  };
};
