/** The limiter's interface: requests, decisions, settlements. */
import type { Dimensions } from '../policy/dimensions';
import type { Unit } from '../policy/policy';

/** The weight of a request, in whole numbers. Absent units count 0, except `requests`: 1. */
export interface Weight {
  readonly requests?: number;
  readonly bytes?: number;
  readonly inputTokens?: number;
  /** The part of the input that came from the model's cache. */
  readonly cachedInputTokens?: number;
  /** Maximum output; the policy estimates it if absent. In a settlement, the actual output. */
  readonly outputTokens?: number;
  /** Number of answers, each as long as the maximum; if `outputTokens` is set, that is the total. */
  readonly answers?: number;
  readonly tools?: { readonly [tool: string]: number };
}

export interface LimitRequest {
  /** The caller's id of the request, for logs; never part of a key. */
  readonly requestId?: string;
  /** `route` is the name of a route group; if absent, `target` and `method` determine it. */
  readonly dimensions: Dimensions;
  readonly target?: string;
  readonly plan?: string;
  /** The tenant's time zone, for quotas without one. */
  readonly timeZone?: string;
  readonly weight?: Weight;
}

/**
 * The state after the decision; if nothing was charged (a denial, a peek, a soft limit that is over), without the
 * request.
 */
export interface LimitStatus {
  readonly unit: Unit;
  /** The capacity: the most that can remain; of a bucket its burst. */
  readonly limit: number;
  readonly remaining: number;
  /** Until the limit is completely free; whole seconds, rounded up. */
  readonly resetSeconds: number;
  /**
   * Time in which the whole limit refills: the period, or the time to fill a bucket; 0 if it does not refill by itself.
   */
  readonly windowSeconds: number;
  readonly over: boolean;
  /** Dry run. For operators only: callers must not see it. */
  readonly watched: boolean;
  /** For operators only: callers must not see it. */
  readonly rule: string;
}

export interface Decision {
  readonly outcome: 'allow' | 'deny' | 'degrade';
  /**
   * Why the request was denied. `too-large`: it costs more than a limit's capacity, so no wait helps;
   * `store-unavailable`: it could not be counted and the policy fails closed.
   */
  readonly reason?: 'limited' | 'blocked' | 'too-large' | 'store-unavailable';
  /** The checked limits, the binding one first: the longest wait, else the smallest share left. */
  readonly limits: readonly LimitStatus[];
  /** Waiting this long is enough if no other request comes; 0 if the request passed or no wait helps. */
  readonly retryAfterSeconds: number;
  /** Queueing delay before the request may go on (leaky buckets). */
  readonly turnMilliseconds: number;
  /** Id to settle the reservation by. */
  readonly reservationId?: string;
  /** The hint of the soft limit that is over. */
  readonly hint?: string;
  /** Message of a block, or about the size. */
  readonly message?: string;
  readonly policyVersion: string;
  /** What counted: the store, this process while the store is unavailable, or only the policy. */
  readonly source: 'store' | 'local' | 'policy';
}

export type SettleOutcome = 'settled' | 'settled-before' | 'unknown' | 'unavailable';

export interface Settlement {
  readonly reservationId: string;
  /** Must be the reservation's tenant (absent if it has none); otherwise the outcome is `unknown`. */
  readonly tenant?: string;
  /**
   * The actual weight, so far or finally; absent units stay as reserved. `refund`: nothing but the request itself, as
   * when the model failed before its first token.
   */
  readonly actual: Weight | 'refund';
  /** False while the response still streams; true by default. */
  readonly final?: boolean;
}

export interface Limiter {
  /** Charges the request's weight; a denial charges nothing. */
  readonly check: (request: LimitRequest) => Promise<Decision>;
  /** Like `check`, to be settled when the actual weight is known; holds concurrency until then. */
  readonly reserve: (request: LimitRequest) => Promise<Decision>;
  /** What `check` would decide now; charges nothing. */
  readonly peek: (request: LimitRequest) => Promise<Decision>;
  readonly settle: (settling: Settlement) => Promise<SettleOutcome>;
  /** Does not close the store, which its opener closes afterwards. */
  readonly close: () => Promise<void>;
}
