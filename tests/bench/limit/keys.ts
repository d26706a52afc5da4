/** Distributions of callers: uniform, skewed, or a single one. The same in every run. */
const people = 10_000;
const samples = 65_536;

export const spreads = ['uniform', 'zipf', 'hot'] as const;
export type Spread = (typeof spreads)[number];

/** Mulberry32: small, and good enough to pick names with. */
const randomFrom = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** The n-th asks in proportion to 1/n. */
const zipfian = (): ((share: number) => number) => {
  const sums: number[] = [];
  let total = 0;
  for (let rank = 1; rank <= people; rank += 1) {
    total += 1 / rank;
    sums.push(total);
  }
  return (share) => {
    const wanted = share * total;
    let [low, high] = [0, people - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] as number) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
};

const pickers: { readonly [spread in Spread]: () => (share: number) => number } = {
  uniform: () => (share) => Math.floor(share * people),
  zipf: zipfian,
  hot: () => () => 0,
};

/** Names by the index of the request. */
export const callersOf = (spread: Spread): ((index: number) => string) => {
  const random = randomFrom(7);
  const pick = pickers[spread]();
  const names = Array.from({ length: samples }, () => `user-${pick(random())}`);
  return (index) => names[index % samples] as string;
};
