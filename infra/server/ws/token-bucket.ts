/** So many at once, so many a second after that. */
export interface TokenBucket {
  /** False when it is empty. */
  readonly take: () => boolean;
}

export const createTokenBucket = (
  most: number,
  perSecond: number,
  now: () => number = () => performance.now(),
): TokenBucket => {
  let left = most;
  let at = now();
  return {
    take: () => {
      const moment = now();
      left = Math.min(most, left + ((moment - at) * perSecond) / 1000);
      at = moment;
      if (left < 1) return false;
      left -= 1;
      return true;
    },
  };
};
