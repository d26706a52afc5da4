/** What a limiter is asked and what it answers. */
import type { Dimensions } from '../policy/dimensions';
import type { Unit } from '../policy/policy';

/** What a request weighs; whole numbers. What is left out is 0, except that it is one request. */
export interface Weight {
  readonly requests?: number;
  readonly bytes?: number;
  readonly inputTokens?: number;
  /** Of them, those that the model's cache held. */
  readonly cachedInputTokens?: number;
  /** The most that may come; when left out, what the policy reserves for such. Once it is known: what came. */
  readonly outputTokens?: number;
  /** How many answers are asked for, each of which may be as long as that; where `outputTokens` says it, of all of them together. */
  readonly answers?: number;
  readonly tools?: { readonly [tool: string]: number };
}

export interface LimitRequest {
  /** Of the caller's, to tell retries apart in logs; never a key. */
  readonly requestId?: string;
  /** `route` is a route group's name; where it is missing, `target` and `method` say which. */
  readonly dimensions: Dimensions;
  readonly target?: string;
  readonly plan?: string;
  /** Of the tenant, for quotas that name none. */
  readonly timeZone?: string;
  readonly weight?: Weight;
}

/** As it is now: where the request took nothing (a denial, a look, a soft limit that is over), without it. */
export interface LimitAnswer {
  readonly unit: Unit;
  /** The most that can remain: of a bucket its burst. */
  readonly limit: number;
  readonly remaining: number;
  /** Until nothing of it is used; whole, rounded up. */
  readonly resetSeconds: number;
  /** In which the whole limit comes back: its period, or of a bucket the time until it is full; 0 where it does not by itself. */
  readonly windowSeconds: number;
  readonly over: boolean;
  /** A dry run: not for callers. */
  readonly watched: boolean;
  /** Not for callers. */
  readonly rule: string;
}

export interface Decision {
  readonly outcome: 'allow' | 'deny' | 'degrade';
  /**
   * Why it was denied. `too-large`: it costs more than one of its limits ever holds, so no wait helps; `store-unavailable`: it could
   * not be counted and the policy closes.
   */
  readonly reason?: 'limited' | 'blocked' | 'too-large' | 'store-unavailable';
  /** The limits that were decided over, the binding one first: over with the longest wait, or else the smallest share left. */
  readonly limits: readonly LimitAnswer[];
  /** Waiting exactly that long is enough when nobody else comes; 0 when it passed, or no wait helps. */
  readonly retryAfterSeconds: number;
  /** The request is to wait for its turn that long before it goes on (leaky buckets). */
  readonly turnMilliseconds: number;
  /** What it is to be settled by; when it was reserved. */
  readonly reservationId?: string;
  /** Of a soft limit that is over. */
  readonly hint?: string;
  /** Of a block, or of what is too large. */
  readonly message?: string;
  readonly policyVersion: string;
  /** Who counted: the store, this process because the store could not be asked, or nobody, because the policy decides alone. */
  readonly source: 'store' | 'local' | 'policy';
}

export type SettleOutcome = 'settled' | 'settled-before' | 'unknown' | 'unavailable';

export interface Settling {
  readonly reservationId: string;
  /** Whose reservation it must be; left out, one of no tenant. Of another it is `unknown`. */
  readonly tenant?: string;
  /**
   * What it came to so far or in the end, in any unit; what is left out stays as it was reserved. `refund`: nothing but the request
   * itself, as when the model failed before its first token.
   */
  readonly actual: Weight | 'refund';
  /** False while an answer streams: more is to come. True when left out. */
  readonly final?: boolean;
}

export interface Limiter {
  /** Takes what the request weighs, or nothing when it is denied. */
  readonly check: (request: LimitRequest) => Promise<Decision>;
  /** As `check`, to be settled once it is known what the request came to; holds concurrency until then. */
  readonly reserve: (request: LimitRequest) => Promise<Decision>;
  /** Whether `check` would let it pass, and what is left now; takes nothing. */
  readonly peek: (request: LimitRequest) => Promise<Decision>;
  readonly settle: (settling: Settling) => Promise<SettleOutcome>;
  /** Whoever opened the store closes it, afterwards. */
  readonly close: () => Promise<void>;
}
