/** What may still be sent: counted down by what is sent, up again by the time; of a client, of whoever it is, and of a document in all. */
export interface Rate {
  /** At once. */
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

/** Clients name themselves: what one principal sends counts as one's, by however many clients. */
export const rateLimitScopes = ['client', 'principal', 'document'] as const;
export type RateLimitScope = (typeof rateLimitScopes)[number];

export type RateTable = { readonly [of in RateLimitScope]: Rates };
/** Whose it is: names that no other client, principal or document has. */
export type RateLimitKeys = { readonly [of in RateLimitScope]: string };

export interface RetryAfter {
  readonly milliseconds: number;
  /** What it is for. */
  readonly of: RateLimitScope;
}

export interface RateLimiter {
  /** Undefined: it is taken. Else nothing is, and it would be there after so long. */
  readonly take: (sender: RateLimitKeys, cost: Cost) => RetryAfter | undefined;
}

interface BucketLevel extends Cost {
  readonly at: number;
}

/** Who is forgotten has everything again; that takes as many others in between. */
const maxBuckets = 50_000;

const refilled = ({ most, perSecond }: Rate, left: number, milliseconds: number): number =>
  Math.min(most, left + (milliseconds * perSecond) / 1_000);

/** More than there ever is needs all there is. */
const waitMilliseconds = ({ most, perSecond }: Rate, left: number, cost: number): number =>
  Math.max(0, Math.ceil(((Math.min(cost, most) - left) * 1_000) / perSecond));

const createBuckets = ({ operations, bytes }: Rates) => {
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
    wait: (left: BucketLevel, cost: Cost): number =>
      Math.max(
        waitMilliseconds(operations, left.operations, cost.operations),
        waitMilliseconds(bytes, left.bytes, cost.bytes),
      ),
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
        const milliseconds = stock.wait(left, cost);
        if (milliseconds > (longest?.milliseconds ?? 0)) longest = { milliseconds, of: stock.of };
      }
      if (longest === undefined) for (const { stock, left } of levels) stock.spend(sender[stock.of], left, cost);
      return longest;
    },
  };
};
