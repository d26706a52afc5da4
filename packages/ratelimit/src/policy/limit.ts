/** What may be limited and how: each kind says in its own numbers what it admits. */

interface Named {
  /** Within its policy; never shown to callers. */
  readonly name: string;
}

interface Rate {
  /** How many per period, whole. */
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

/** Remembers every request of the last period: exact, and as large as its limit. */
export interface SlidingLog extends Named, Rate {
  readonly algorithm: 'sliding-log';
}

/** This window's count and a share of the last one's: small, and close to the log. */
export interface SlidingCounter extends Named, Rate {
  readonly algorithm: 'sliding-counter';
}

/** Admits one after the other at the rate; who comes early waits its turn, for so long at most. */
export interface LeakyBucket extends Named, Rate {
  readonly algorithm: 'leaky-bucket';
  readonly longestWaitMilliseconds: number;
}

/** Counts per period of a calendar, whose bounds the caller knows; both in milliseconds since 1970. */
export interface Quota extends Named {
  readonly algorithm: 'quota';
  readonly limit: number;
  readonly startsAt: number;
  readonly endsAt: number;
}

/** How many may be under way at once; one that never ends is forgotten after its lease. */
export interface Concurrency extends Named {
  readonly algorithm: 'concurrency';
  readonly limit: number;
  readonly leaseMilliseconds: number;
}

export type Limit = TokenBucket | FixedWindow | SlidingLog | SlidingCounter | LeakyBucket | Quota | Concurrency;

/** `soft`: over it is served worse; `watched`: over it is only noted. */
export type Strictness = 'hard' | 'soft' | 'watched';
