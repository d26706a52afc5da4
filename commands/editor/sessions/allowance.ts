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
export const counted = ['client', 'principal', 'document'] as const;
export type Counted = (typeof counted)[number];

export type AllRates = { readonly [of in Counted]: Rates };
/** Whose it is: names that no other client, principal or document has. */
export type Sender = { readonly [of in Counted]: string };

export interface Wait {
  readonly milliseconds: number;
  /** What it is for. */
  readonly of: Counted;
}

export interface Allowances {
  /** Undefined: it is taken. Else nothing is, and it would be there after so long. */
  readonly take: (sender: Sender, cost: Cost) => Wait | undefined;
}

interface Left extends Cost {
  readonly at: number;
}

/** Who is forgotten has everything again; that takes as many others in between. */
const mostNames = 50_000;

const grown = ({ most, perSecond }: Rate, left: number, milliseconds: number): number =>
  Math.min(most, left + (milliseconds * perSecond) / 1_000);

/** More than there ever is needs all there is. */
const waitFor = ({ most, perSecond }: Rate, left: number, cost: number): number =>
  Math.max(0, Math.ceil(((Math.min(cost, most) - left) * 1_000) / perSecond));

const openStock = ({ operations, bytes }: Rates) => {
  const names = new Map<string, Left>();
  const leftOf = (name: string, at: number): Left => {
    const before = names.get(name);
    if (before === undefined) return { operations: operations.most, bytes: bytes.most, at };
    const passed = at - before.at;
    const left = {
      operations: grown(operations, before.operations, passed),
      bytes: grown(bytes, before.bytes, passed),
    };
    return { ...left, at };
  };
  return {
    leftOf,
    wait: (left: Left, cost: Cost): number =>
      Math.max(waitFor(operations, left.operations, cost.operations), waitFor(bytes, left.bytes, cost.bytes)),
    spend: (name: string, left: Left, cost: Cost): void => {
      names.delete(name);
      names.set(name, { ...left, operations: left.operations - cost.operations, bytes: left.bytes - cost.bytes });
      const [oldest] = names.keys();
      if (names.size > mostNames && oldest !== undefined) names.delete(oldest);
    },
  };
};

export const openAllowances = (rates: AllRates, now: () => number = () => performance.now()): Allowances => {
  const stocks = counted.map((of) => ({ of, ...openStock(rates[of]) }));
  return {
    take: (sender, cost) => {
      const at = now();
      const asked = stocks.map((stock) => ({ stock, left: stock.leftOf(sender[stock.of], at) }));
      let longest: Wait | undefined;
      for (const { stock, left } of asked) {
        const milliseconds = stock.wait(left, cost);
        if (milliseconds > (longest?.milliseconds ?? 0)) longest = { milliseconds, of: stock.of };
      }
      if (longest === undefined) for (const { stock, left } of asked) stock.spend(sender[stock.of], left, cost);
      return longest;
    },
  };
};
