/** A token bucket of one process, for what strangers can cause: `capacity` at once, then one in `millisecondsPerToken`. */
export interface TokenBucketOptions {
  readonly capacity: number;
  readonly millisecondsPerToken: number;
  /** Milliseconds of any clock. */
  readonly now: () => number;
}

export interface TokenBucket {
  /** How many were refused since the last that was let through; undefined: this one is refused. */
  readonly take: () => number | undefined;
}

export const createTokenBucket = ({ capacity, millisecondsPerToken, now }: TokenBucketOptions): TokenBucket => {
  let tokens = capacity;
  let at = now();
  let refused = 0;
  return {
    take: () => {
      const passed = now() - at;
      at += passed;
      tokens = Math.min(capacity, tokens + passed / millisecondsPerToken);
      if (tokens < 1) {
        refused += 1;
        return undefined;
      }
      tokens -= 1;
      const before = refused;
      refused = 0;
      return before;
    },
  };
};
