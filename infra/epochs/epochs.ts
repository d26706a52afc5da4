/** Current security epochs in memory, fed by signals; says how old its knowledge is, so that others can fail closed. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { EpochFeed, EpochSignal } from '../ports/epochs';
import type { Log } from '../ports/log';

/** No token lives longer: what was raised earlier than that revokes nothing that has not ended by itself. */
export const longestTokenMilliseconds = 3_600_000;
export const forgetAfterMilliseconds = longestTokenMilliseconds + 600_000;
/** Without word of revocations for that long, nobody is let in and nothing goes on. */
export const longestStalenessMilliseconds = 60_000;
const pruneEveryMilliseconds = 60_000;

export interface EpochCache {
  readonly apply: (signal: EpochSignal) => void;
  /** 0 when nothing was heard of the principal: every epoch is current. */
  readonly current: (tenantId: string, principalId: string) => number;
  /** Infinite until everything recorded so far has been heard. */
  readonly stalenessMilliseconds: () => number;
  readonly size: () => number;
}

export const epochCache = (now: () => number = Date.now): EpochCache => {
  const known = new Map<string, { readonly securityEpoch: number; readonly at: number }>();
  let heardAt = Number.NEGATIVE_INFINITY;
  let prunedAt = now();

  const prune = (): void => {
    if (now() - prunedAt < pruneEveryMilliseconds) return;
    prunedAt = now();
    for (const [key, { at }] of known) if (at < prunedAt - forgetAfterMilliseconds) known.delete(key);
  };
  const keyOf = (tenantId: string, principalId: string): string => `${tenantId}.${principalId}`;
  return {
    apply: (signal) => {
      prune();
      if (signal.kind === 'heartbeat') {
        heardAt = now();
        return;
      }
      const { tenantId, principalId, securityEpoch, at } = signal;
      if (at < now() - forgetAfterMilliseconds) return;
      const key = keyOf(tenantId, principalId);
      // Feeds repeat and reorder: the highest counts, whatever came last.
      if ((known.get(key)?.securityEpoch ?? 0) < securityEpoch) known.set(key, { securityEpoch, at });
    },
    current: (tenantId, principalId) => known.get(keyOf(tenantId, principalId))?.securityEpoch ?? 0,
    stalenessMilliseconds: () => now() - heardAt,
    size: () => known.size,
  };
};

export interface Following {
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly pauseMilliseconds?: number;
}

/** Applies a feed for as long as the process runs; a feed that fails is followed again. */
export const followEpochs = async (cache: EpochCache, feed: EpochFeed, following: Following): Promise<void> => {
  const { log, signal, pauseMilliseconds = 1_000 } = following;
  while (!signal.aborted) {
    try {
      for await (const heard of feed.follow(signal)) cache.apply(heard);
    } catch (error) {
      log.warn({ error }, 'revocation feed failed; it is followed again');
    }
    await sleep(pauseMilliseconds, undefined, { signal }).catch(() => undefined);
  }
};
