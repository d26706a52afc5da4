/** Token buckets for operations and bytes, per client, principal and document. */
export interface Rate {
  /** Burst size. */
  readonly most: number;
  readonly perSecond: number;
}

export interface Rates {
  readonly operations: Rate;
  readonly bytes: Rate;
}

export interface Cost {
  readonly operations: number;
  readonly bytes: number;
}

/** A principal's limit covers all its clients, because clients choose their ids. */
export const rateLimitScopes = ['client', 'principal', 'document'] as const;
export type RateLimitScope = (typeof rateLimitScopes)[number];

export type RateTable = { readonly [of in RateLimitScope]: Rates };
/** Unique names of the client, principal and document. */
export type RateLimitKeys = { readonly [of in RateLimitScope]: string };

export interface RetryAfter {
  readonly milliseconds: number;
  /** The limit that was exceeded. */
  readonly of: RateLimitScope;
  readonly unit: keyof Cost;
  readonly rate: Rate;
  /** What is left of it, in whole units. */
  readonly remaining: number;
}

export interface RateLimiter {
  /** Takes the tokens from all buckets, or from none; then returns the delay. */
  readonly take: (sender: RateLimitKeys, cost: Cost) => RetryAfter | undefined;
}

interface BucketLevel extends Cost {
  readonly at: number;
}

/** An evicted bucket is full again; eviction takes this many newer ones. */
const maxBuckets = 50_000;

const refilled = ({ most, perSecond }: Rate, left: number, milliseconds: number): number =>
  Math.min(most, left + (milliseconds * perSecond) / 1_000);

/** A cost above the burst size needs a full bucket. */
const waitMilliseconds = ({ most, perSecond }: Rate, left: number, cost: number): number =>
  Math.max(0, Math.ceil(((Math.min(cost, most) - left) * 1_000) / perSecond));

const createBuckets = (rates: Rates) => {
  const { operations, bytes } = rates;
  const names = new Map<string, BucketLevel>();
  const leftOf = (name: string, at: number): BucketLevel => {
    const before = names.get(name);
    if (before === undefined) return { operations: operations.most, bytes: bytes.most, at };
    const passed = at - before.at;
    const left = {
      operations: refilled(operations, before.operations, passed),
      bytes: refilled(bytes, before.bytes, passed),
    };
    return { ...left, at };
  };
  return {
    leftOf,
    /** The longer of the two waits. */
    wait: (left: BucketLevel, cost: Cost): Omit<RetryAfter, 'of'> => {
      const [one, other] = (['operations', 'bytes'] as const).map((unit) => ({
        unit,
        rate: rates[unit],
        remaining: Math.max(0, Math.floor(left[unit])),
        milliseconds: waitMilliseconds(rates[unit], left[unit], cost[unit]),
      })) as [Omit<RetryAfter, 'of'>, Omit<RetryAfter, 'of'>];
      return other.milliseconds > one.milliseconds ? other : one;
    },
    spend: (name: string, left: BucketLevel, cost: Cost): void => {
      names.delete(name);
      names.set(name, { ...left, operations: left.operations - cost.operations, bytes: left.bytes - cost.bytes });
      const [oldest] = names.keys();
      if (names.size > maxBuckets && oldest !== undefined) names.delete(oldest);
    },
  };
};

export const createRateLimiter = (rates: RateTable, now: () => number = () => performance.now()): RateLimiter => {
  const stocks = rateLimitScopes.map((of) => ({ of, ...createBuckets(rates[of]) }));
  return {
    take: (sender, cost) => {
      const at = now();
      const levels = stocks.map((stock) => ({ stock, left: stock.leftOf(sender[stock.of], at) }));
      let longest: RetryAfter | undefined;
      for (const { stock, left } of levels) {
        const wait = stock.wait(left, cost);
        if (wait.milliseconds > (longest?.milliseconds ?? 0)) longest = { ...wait, of: stock.of };
      }
      if (longest === undefined) for (const { stock, left } of levels) stock.spend(sender[stock.of], left, cost);
      return longest;
    },
  };
};
