/**
 * Maximum time that one document may occupy the event loop. Between two budgets, leases are renewed and other
 * documents' edits are processed, so expensive operations of one document cannot cost another its lease.
 */
const maxMilliseconds = 150;

export interface TimeBudget {
  /** Called before each step. The first step is always allowed; otherwise nothing would progress. */
  readonly canContinue: () => boolean;
  /** Whether a step was denied. */
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
