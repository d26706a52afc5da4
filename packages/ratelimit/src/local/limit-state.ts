/** Counts one limit in one process while the store is unavailable. Times are microseconds of a monotonic clock. */

import type { LeakyBucket, Limit, TokenBucket } from '../policy/limit';
import type { LimitState } from '../store/limit-charge';

export interface LocalLimitState {
  /** The state after the request, or without it if it does not pass. Changes nothing. */
  readonly check: (cost: number, now: number) => LimitState;
  /** Queueing delay of the next request (leaky buckets). */
  readonly queueingDelay: (now: number) => number;
  /** Charges the cost; returns the handle for `correct`. */
  readonly take: (cost: number, now: number) => number;
  readonly correct: (chargedAt: number, delta: number, now: number) => void;
  /** Takes over the store's state as of `when`, so that no more than the share of the remainder passes. */
  readonly observe: (stored: LimitState, when: number, now: number) => void;
  /** From this time on the state equals a new one. */
  readonly idleAt: () => number;
}

/** A share of a bucket: credit refills over time and requests spend it. Tokens and microseconds. */
export interface BucketNumbers {
  /** Capacity of the share, and its refill per microsecond. */
  readonly full: number;
  readonly rate: number;
  readonly isQueue: boolean;
}

export const bucketNumbersOf = (limit: TokenBucket | LeakyBucket, capacity: number, share: number): BucketNumbers => ({
  full: capacity * share,
  rate: (limit.limit * share) / (limit.periodMilliseconds * 1_000),
  isQueue: limit.algorithm === 'leaky-bucket',
});

const creditAt = (now: number, last: number, credit: number, rate: number): number => credit + (now - last) * rate;

/** Tolerance for floating point sums, in tokens. */
const roundingError = 1e-6;

/**
 * A share smaller than one request's cost saves up for it. Over any time, no more passes than the initial share and its
 * refill.
 */
export const createBucketState = ({ full, rate, isQueue }: BucketNumbers, since: number): LocalLimitState => {
  let [credit, last] = [full, since];
  const at = (now: number): number => creditAt(now, last, credit, rate);
  const upTo = (now: number, cost: number): number => Math.min(at(now), Math.max(full, cost));
  return {
    check: (cost, now): LimitState => {
      const available = upTo(now, cost);
      const over = available + roundingError < cost;
      const left = over ? available : available - cost;
      return {
        over,
        remaining: Math.max(0, Math.floor(Math.min(left, full) + roundingError)),
        resetMicroseconds: Math.max(0, Math.ceil((full - left) / rate)),
        waitMicroseconds: over ? Math.ceil((cost - available) / rate) : 0,
      };
    },
    queueingDelay: (now) => (isQueue ? Math.max(0, Math.ceil((full - at(now)) / rate)) : 0),
    take: (cost, now) => {
      [credit, last] = [upTo(now, cost) - cost, now];
      return now;
    },
    correct: (_, delta, now) => {
      [credit, last] = [Math.min(full, Math.max(-full, upTo(now, 0) - delta)), now];
    },
    /** Usage of the whole limit counts against the share. */
    observe: ({ resetMicroseconds }, when, now) => {
      const known = full - Math.max(0, resetMicroseconds - (now - when)) * rate;
      [credit, last] = [Math.min(upTo(now, 0), known), now];
    },
    idleAt: () => last + (full - credit) / rate,
  };
};

/**
 * A share of a window limit: at most `max` in any span of the period, whatever the algorithm. Counts in eighths of the
 * window, on the safe side: a charge counts for up to an eighth longer.
 */
export interface WindowNumbers {
  readonly max: number;
  readonly windowMicroseconds: number;
  /** The whole limit, of which the store reports the remainder. */
  readonly limit: number;
}

const partsPerWindow = 8;

type WindowLimit = Exclude<Limit, { readonly algorithm: 'token-bucket' | 'leaky-bucket' }>;

const windowMillisecondsOf = (limit: WindowLimit): number => {
  switch (limit.algorithm) {
    case 'quota':
      return limit.endsAt - limit.startsAt;
    case 'concurrency':
      return limit.leaseMilliseconds;
    case 'fixed-window':
    case 'sliding-log':
    case 'sliding-counter':
      return limit.periodMilliseconds;
  }
};

/** A share below one admits nothing. */
export const windowNumbersOf = (limit: WindowLimit, share: number): WindowNumbers => ({
  max: Math.floor(limit.limit * share),
  windowMicroseconds: windowMillisecondsOf(limit) * 1_000,
  limit: limit.limit,
});

interface WindowPart {
  readonly until: number;
  count: number;
}

const countOf = (entries: readonly WindowPart[]): number => entries.reduce((sum, { count }) => sum + count, 0);

/** Time at which so many are free again. */
const freeAt = (entries: readonly WindowPart[], missing: number): number | undefined => {
  let freed = 0;
  for (const { until, count } of entries) {
    freed += count;
    if (freed >= missing) return until;
  }
  return undefined;
};

/** Refunds from the newest part first. */
const refund = (entries: readonly WindowPart[], amount: number): void => {
  let left = amount;
  for (const entry of entries.toReversed()) {
    const part = Math.min(entry.count, left);
    entry.count -= part;
    left -= part;
  }
};

export const createWindowState = ({ max, windowMicroseconds, limit }: WindowNumbers): LocalLimitState => {
  const part = Math.ceil(windowMicroseconds / partsPerWindow);
  let entries: WindowPart[] = [];
  const at = (now: number): readonly WindowPart[] => {
    entries = entries.filter(({ until, count }) => until > now && count > 0);
    return entries;
  };
  const add = (count: number, now: number): number => {
    const until = Math.ceil((now + windowMicroseconds) / part) * part;
    const same = at(now).find((entry) => entry.until === until);
    if (same === undefined) entries = [...entries, { until, count }].sort((one, other) => one.until - other.until);
    else same.count += count;
    return until;
  };
  return {
    check: (cost, now): LimitState => {
      const live = at(now);
      const used = countOf(live);
      const resetMicroseconds = Math.max(0, (live.at(-1)?.until ?? now) - now);
      if (used + cost <= max)
        return { over: false, remaining: max - used - cost, resetMicroseconds, waitMicroseconds: 0 };
      const free = freeAt(live, used + cost - max) ?? now + windowMicroseconds;
      return { over: true, remaining: Math.max(0, max - used), resetMicroseconds, waitMicroseconds: free - now };
    },
    queueingDelay: () => 0,
    take: add,
    correct: (chargedAt, delta, now) => {
      const live = at(now);
      const found = live.find(({ until }) => until === chargedAt);
      if (chargedAt <= now) return;
      if (delta > 0 && found === undefined) add(delta, now);
      else if (delta > 0 && found !== undefined) found.count += delta;
      else refund(found === undefined ? live : [...live, found], -delta);
    },
    observe: ({ remaining }, when, now) => {
      const spent = max - Math.floor((remaining * max) / limit) - countOf(at(now));
      if (spent > 0 && when + windowMicroseconds > now) add(spent, when);
    },
    idleAt: () => entries.at(-1)?.until ?? 0,
  };
};
