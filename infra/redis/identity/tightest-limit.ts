/** Of several names that were tried under, the one that says most about when to come back. */
import type { AttemptResult } from '../../ports/identity/attempt-limiter';

export type Said = Omit<AttemptResult, 'refund'>;

export const tightestLimit = (all: readonly Said[]): Said =>
  all.reduce((one, other) => {
    const more = other.retryAfterSeconds - one.retryAfterSeconds || one.remaining - other.remaining;
    return more > 0 ? other : one;
  });
