/** Choices that a seed repeats; what the processes make of them still differs from run to run. */
import { randomInt } from 'node:crypto';

export interface Random {
  /** 0 to one below the limit. */
  readonly upTo: (limit: number) => number;
  readonly chance: (share: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** Another sequence, for a worker of its own. */
  readonly fork: () => Random;
}

export const freshSeed = (): number => randomInt(1, 2 ** 31);

export const randomFrom = (seed: number): Random => {
  let state = seed | 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const upTo = (limit: number): number => Math.floor(next() * limit);
  return {
    upTo,
    chance: (share) => next() < share,
    pick: (items) => {
      const item = items[upTo(items.length)];
      if (item === undefined) throw new Error('There is nothing to pick from.');
      return item;
    },
    fork: () => randomFrom(upTo(2 ** 31) + 1),
  };
};
