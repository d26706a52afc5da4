/** Counts views for as long as its process runs. Any number of copies may run: those of one partition take turns. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { viewRule } from '../../../domain/video/views/count-heartbeat';
import type { HeartbeatSource } from '../../../infra/ports/video/heartbeats';
import type { PurgedBefore, ViewCounts } from '../../../infra/ports/video/view-counts';
import { backoffMilliseconds, pause, resumeUntilAborted } from '../../../infra/server/runtime/backoff';
import { logOutage, trackOutage } from '../../../infra/server/runtime/outage';
import type { BackgroundDeps } from '../../kernel/context';
import { consumeHeartbeats } from './consume-heartbeats';
import { forgetViewers } from './forget-viewers';

/** Views are to be shown a minute after they were watched; this, the pause and the projection are less together. */
const waitedMilliseconds = 30_000;
const pauseMilliseconds = 2_000;
const purgeMilliseconds = 600_000;

/** Heartbeats wait in their stream for a day at most, if they are to be compared with what is known. */
const latestMilliseconds = 86_400_000;
/** What was watched before is not resumed. */
const positionMilliseconds = 400 * 86_400_000;

const purgedBefore = (now: number): PurgedBefore => ({
  expiredAt: now - latestMilliseconds,
  viewedAt: now - latestMilliseconds - viewRule.viewerWindow,
  watchedAt: now - positionMilliseconds,
});

export interface ViewCountingDeps extends Pick<BackgroundDeps, 'store' | 'log' | 'signal'> {
  readonly heartbeats: HeartbeatSource;
  readonly counts: ViewCounts;
}

export const runViewCounting = async (deps: ViewCountingDeps): Promise<void> => {
  const { store, counts, heartbeats, log, signal } = deps;
  const clock = { now: () => new Date().toISOString() as Instant };
  const counting = { store, clock, counts, heartbeats, waitedMilliseconds };
  const outage = trackOutage(log, {
    failing: 'views of videos cannot be counted; it is tried again',
    recovered: 'views of videos are counted again',
  });
  const count = async (): Promise<void> => {
    let purgedAt = Date.now();
    for (let failures = 0; !signal.aborted; ) {
      const consumed = await consumeHeartbeats(counting);
      if (isLeft(consumed)) outage.failed({ fault: consumed.left });
      else outage.recovered();
      failures = isLeft(consumed) ? failures + 1 : 0;
      if (Date.now() - purgedAt > purgeMilliseconds) {
        purgedAt = Date.now();
        await counts.purge(purgedBefore(purgedAt));
      }
      await pause(
        failures === 0 ? pauseMilliseconds : backoffMilliseconds(failures, pauseMilliseconds, 30_000),
        signal,
      );
    }
    outage.end();
  };
  const forgetting = resumeUntilAborted((progress) => forgetViewers({ store, counts, signal }, progress), {
    signal,
    ...logOutage(log, {
      failing: 'viewers who were forgotten could not be removed; it is tried again',
      recovered: 'viewers who were forgotten are removed again',
    }),
  });
  await Promise.all([count(), forgetting]);
};
