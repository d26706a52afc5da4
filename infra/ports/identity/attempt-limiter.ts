/** Counts attempts by name in a sliding window, shared by all processes. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export interface AttemptLimit {
  readonly most: number;
  readonly milliseconds: number;
}

export interface AttemptKey extends AttemptLimit {
  readonly name: string;
}

export interface AttemptResult {
  /** 0: counted. Otherwise the time to wait, if there are no other attempts meanwhile. */
  readonly retryAfterSeconds: number;
  /** Of the name with the longest wait, or else the fewest left. */
  readonly limit: number;
  readonly remaining: number;
  /** Until none of its tries counts any longer. */
  readonly resetSeconds: number;
  /** It is not to count: it succeeded, and is no sign of guessing. */
  readonly refund: () => Promise<void>;
}

export interface AttemptLimiter {
  /** Counts one attempt under each key, or under none. Left: the store is unavailable, so no attempt is allowed. */
  readonly take: (tries: readonly AttemptKey[]) => Promise<Either<Fault<'service-unavailable'>, AttemptResult>>;
  readonly close: () => Promise<void>;
}
