/** Distributions of callers: uniform, skewed, or a single one. The same in every run. */
import { seededRandom } from '../../support/random/seeded-random';

const people = 10_000;
const samples = 65_536;

export const spreads = ['uniform', 'zipf', 'hot'] as const;
export type Spread = (typeof spreads)[number];

/** The n-th caller sends requests in proportion to 1/n. */
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
  const random = seededRandom(7).next;
  const pick = pickers[spread]();
  const names = Array.from({ length: samples }, () => `user-${pick(random())}`);
  return (index) => names[index % samples] as string;
};
