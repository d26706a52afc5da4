/**
 * How long one document may have its process to itself: in between leases are renewed, and everybody else's edits taken. However dear the
 * operations of one are, no other document is lost by them.
 */
const longestMilliseconds = 150;

export interface Share {
  /** Asked before each step; the first is always allowed, or nothing would ever be done. */
  readonly mayGoOn: () => boolean;
  /** It was not allowed to go on. */
  readonly isSpent: () => boolean;
}

export const openShare = (): Share => {
  const until = performance.now() + longestMilliseconds;
  let hasBegun = false;
  let isSpent = false;
  return {
    isSpent: () => isSpent,
    mayGoOn: () => {
      isSpent = hasBegun && performance.now() > until;
      hasBegun = true;
      return !isSpent;
    },
  };
};
