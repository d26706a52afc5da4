/**
 * A share of a limit that counts, in one process: no more than so many in any span of its period, whatever window it has. Remembers by
 * parts of the span rather than each request, to the safe side: what was taken counts for up to an eighth longer.
 */
import type { LimitState } from './asked';
import type { Limit } from './limit';
import type { LocalState } from './local-state';

export interface SpanNumbers {
  readonly most: number;
  readonly spanMicroseconds: number;
  /** Whole limit: what the store says is left is left of that. */
  readonly limit: number;
}

const partsPerSpan = 8;

type Counting = Exclude<Limit, { readonly algorithm: 'token-bucket' | 'leaky-bucket' }>;

const spanOf = (limit: Counting): number => {
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

/** A share that comes to less than one lets nothing pass. */
export const spanNumbers = (limit: Counting, share: number): SpanNumbers => ({
  most: Math.floor(limit.limit * share),
  spanMicroseconds: spanOf(limit) * 1_000,
  limit: limit.limit,
});

interface Entry {
  readonly until: number;
  count: number;
}

const total = (entries: readonly Entry[]): number => entries.reduce((sum, { count }) => sum + count, 0);

/** Until so many are free again. */
const waitFor = (entries: readonly Entry[], missing: number): number | undefined => {
  let freed = 0;
  for (const { until, count } of entries) {
    freed += count;
    if (freed >= missing) return until;
  }
  return undefined;
};

/** Of the last of them first. */
const giveBack = (entries: readonly Entry[], amount: number): void => {
  let left = amount;
  for (const entry of entries.toReversed()) {
    const part = Math.min(entry.count, left);
    entry.count -= part;
    left -= part;
  }
};

export const spanState = ({ most, spanMicroseconds, limit }: SpanNumbers): LocalState => {
  const part = Math.ceil(spanMicroseconds / partsPerSpan);
  let entries: Entry[] = [];
  const at = (now: number): readonly Entry[] => {
    entries = entries.filter(({ until, count }) => until > now && count > 0);
    return entries;
  };
  const add = (count: number, now: number): number => {
    const until = Math.ceil((now + spanMicroseconds) / part) * part;
    const same = at(now).find((entry) => entry.until === until);
    if (same === undefined) entries = [...entries, { until, count }].sort((one, other) => one.until - other.until);
    else same.count += count;
    return until;
  };
  return {
    check: (cost, now): LimitState => {
      const live = at(now);
      const used = total(live);
      const resetMicroseconds = Math.max(0, (live.at(-1)?.until ?? now) - now);
      if (used + cost <= most)
        return { over: false, remaining: most - used - cost, resetMicroseconds, waitMicroseconds: 0 };
      const free = waitFor(live, used + cost - most) ?? now + spanMicroseconds;
      return { over: true, remaining: Math.max(0, most - used), resetMicroseconds, waitMicroseconds: free - now };
    },
    turn: () => 0,
    take: add,
    correct: (taken, delta, now) => {
      const live = at(now);
      const found = live.find(({ until }) => until === taken);
      if (taken <= now) return;
      if (delta > 0 && found === undefined) add(delta, now);
      else if (delta > 0 && found !== undefined) found.count += delta;
      else giveBack(found === undefined ? live : [...live, found], -delta);
    },
    heard: ({ remaining }, when, now) => {
      const spent = most - Math.floor((remaining * most) / limit) - total(at(now));
      if (spent > 0 && when + spanMicroseconds > now) add(spent, when);
    },
    idleAt: () => entries.at(-1)?.until ?? 0,
  };
};
