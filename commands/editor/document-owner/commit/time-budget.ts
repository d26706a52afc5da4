/**
 * How long one document may have its process to itself: in between leases are renewed, and everybody else's edits taken. However dear the
 * operations of one are, no other document is lost by them.
 */
const maxMilliseconds = 150;

export interface TimeBudget {
  /** Asked before each step; the first is always allowed, or nothing would ever be done. */
  readonly canContinue: () => boolean;
  /** It was not allowed to go on. */
  readonly isSpent: () => boolean;
}

export const createTimeBudget = (): TimeBudget => {
  const until = performance.now() + maxMilliseconds;
  let hasBegun = false;
  let isSpent = false;
  return {
    isSpent: () => isSpent,
    canContinue: () => {
      isSpent = hasBegun && performance.now() > until;
      hasBegun = true;
      return !isSpent;
    },
  };
};
