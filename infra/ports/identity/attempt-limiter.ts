/** Counts tries under names, each within a window that slides, however many processes ask. */
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
  /** 0: it was taken. Else waiting that long is enough when nobody else tries. */
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
  /** Takes one of the tries that are left under each of the names, or none of them. Left: it cannot be known, so nobody may try. */
  readonly take: (tries: readonly AttemptKey[]) => Promise<Either<Fault<'service-unavailable'>, AttemptResult>>;
  readonly close: () => Promise<void>;
}
