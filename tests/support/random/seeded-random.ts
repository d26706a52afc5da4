/** Choices that a seed repeats on every machine. */
import { randomInt } from 'node:crypto';

export interface SeededRandom {
  /** From 0 to below 1. */
  readonly next: () => number;
  /** An integer from 0 to below the bound. */
  readonly below: (bound: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  /** Another sequence, for a worker of its own. */
  readonly fork: () => SeededRandom;
}

export const freshSeed = (): number => randomInt(1, 2 ** 31);

/** Mulberry32: 32 bits of state. */
export const seededRandom = (seed: number): SeededRandom => {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: <Item>(items: readonly Item[]): Item => {
      if (items.length === 0) throw new Error('nothing to pick from');
      return items[below(items.length)] as Item;
    },
    fork: () => seededRandom(below(2 ** 32)),
  };
};

/** Each item once, in any order. */
export const shuffled = <Item>(items: readonly Item[], next: SeededRandom['next']): readonly Item[] =>
  items
    .map((item) => ({ item, place: next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
