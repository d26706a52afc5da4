/** Selects, of the limits of one attempt, the one with the longest wait, then the fewest attempts left. */
import type { AttemptResult } from '../../../ports/identity/attempt-limiter';

export type LimitStatus = Omit<AttemptResult, 'refund'>;

export const tightestLimit = (all: readonly LimitStatus[]): LimitStatus =>
  all.reduce((one, other) => {
    const more = other.retryAfterSeconds - one.retryAfterSeconds || one.remaining - other.remaining;
    return more > 0 ? other : one;
  });
