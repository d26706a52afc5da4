/** Applies a feed while the process runs; restarts it after failures. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { SecurityFeed, SecuritySignal } from '../../ports/identity/security-state';
import type { Log } from '../../ports/runtime/log';
import { trackOutage } from '../runtime/outage';

export interface FollowOptions {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly pauseMilliseconds?: number;
}

export const applyFeed = async (
  { apply }: { readonly apply: (signal: SecuritySignal) => void },
  feed: SecurityFeed,
  { log, signal, pauseMilliseconds = 1_000 }: FollowOptions,
): Promise<void> => {
  const outage = trackOutage(log, {
    failing: 'revocation feed failed; it is followed again',
    recovered: 'the revocation feed is back',
  });
  while (!signal.aborted) {
    try {
      for await (const received of feed.follow(signal)) {
        outage.recovered();
        apply(received);
      }
    } catch (error) {
      outage.failed({ error });
    }
    await sleep(pauseMilliseconds, undefined, { signal }).catch(() => undefined);
  }
  outage.end();
};
