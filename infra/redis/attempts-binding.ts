/** Of several names that were tried under, the one that says most about when to come back. */
import type { Taken } from '../ports/attempts';

export type Said = Omit<Taken, 'giveBack'>;

export const bindingOf = (all: readonly Said[]): Said =>
  all.reduce((one, other) => {
    const more = other.retryAfterSeconds - one.retryAfterSeconds || one.remaining - other.remaining;
    return more > 0 ? other : one;
  });
