/** Limit types per algorithm. */

interface Named {
  /** Name within the policy; callers never see it. */
  readonly name: string;
}

interface Rate {
  /** Whole number per period. */
  readonly limit: number;
  readonly periodMilliseconds: number;
}

/** Refills evenly; holds `burst` when full (GCRA, ITU-T I.371 annex A, as a counter that drains). */
export interface TokenBucket extends Named, Rate {
  readonly algorithm: 'token-bucket';
  readonly burst: number;
}

/** Counts per window of the clock; up to twice the limit pass around the end of one. */
export interface FixedWindow extends Named, Rate {
  readonly algorithm: 'fixed-window';
}

/** Keeps every request of the last period: exact, with memory as large as its limit. */
export interface SlidingLog extends Named, Rate {
  readonly algorithm: 'sliding-log';
}

/** The count of this window plus a share of the last one's: little memory, close to the log. */
export interface SlidingCounter extends Named, Rate {
  readonly algorithm: 'sliding-counter';
}

/** Admits requests one after the other at the rate; an early request waits, at most this long. */
export interface LeakyBucket extends Named, Rate {
  readonly algorithm: 'leaky-bucket';
  readonly longestWaitMilliseconds: number;
}

/** Counts per calendar period; its bounds are milliseconds since 1970. */
export interface Quota extends Named {
  readonly algorithm: 'quota';
  readonly limit: number;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** Limits requests in flight; one that is never released expires after its lease. */
export interface Concurrency extends Named {
  readonly algorithm: 'concurrency';
  readonly limit: number;
  readonly leaseMilliseconds: number;
}

export type Limit = TokenBucket | FixedWindow | SlidingLog | SlidingCounter | LeakyBucket | Quota | Concurrency;

/** `soft`: requests over it are degraded; `watched`: a dry run, which never denies. */
export type Strictness = 'hard' | 'soft' | 'watched';
