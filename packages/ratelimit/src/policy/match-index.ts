/**
 * Finds the policy entries that match a request. An index over one dimension of each entry makes thousands of overrides
 * and blocks cost a few lookups; only the entries found are compared completely.
 */

import { type Dimension, type Dimensions, normaliseDimension, sharedDimensions } from './dimensions';
import type { Entries } from './entries';
import { parseAddress, parseRange, prefixBits } from './ip-range';
import { memoize } from './memoize';
import type { Match } from './policy';

type DimensionTest = (dimensions: Dimensions) => boolean;

const isPrefix = (written: string): boolean => written.endsWith('*');

const createAddressTest = (values: readonly string[]): ((value: string) => boolean) => {
  const ranges = values.flatMap((value) => parseRange(value) ?? []);
  return (value) => {
    const address = parseAddress(value);
    if (address === undefined) return false;
    return ranges.some(
      (range) =>
        range.family === address.family && prefixBits(range, range.length) === prefixBits(address, range.length),
    );
  };
};

const createTextTest = (name: Dimension, values: readonly string[]): ((value: string) => boolean) => {
  const exact = new Set(values.filter((value) => !isPrefix(value)).map((value) => normaliseDimension(name, value)));
  const prefixes = values.filter(isPrefix).map((value) => normaliseDimension(name, value.slice(0, -1)));
  return (value) => {
    const written = normaliseDimension(name, value);
    return exact.has(written) || prefixes.some((prefix) => written.startsWith(prefix));
  };
};

/** A missing dimension matches nothing, not even `*`. */
export const createMatcher = (match: Match): DimensionTest => {
  const tests = (Object.entries(match) as [Dimension, readonly string[]][]).map(([name, values]) => {
    const isOne = name === 'ip' ? createAddressTest(values) : createTextTest(name, values);
    return (dimensions: Dimensions): boolean => {
      const value = dimensions[name];
      return value !== undefined && isOne(value);
    };
  });
  return (dimensions) => tests.every((test) => test(dimensions));
};

/**
 * Index of one dimension: by prefix length (characters or bits; -1 for the whole value), then by prefix, to entry
 * indexes.
 */
type IndexLevel = Map<string, Map<number, Map<string | bigint, number | number[]>>>;

interface IndexKey {
  readonly name: string;
  readonly length: number;
  readonly key: string | bigint;
}

/** Most keys have one entry; a list for each would take most of the memory. */
const addToLevel = (level: IndexLevel, { name, length, key }: IndexKey, index: number): void => {
  const lengths = level.get(name) ?? new Map<number, Map<string | bigint, number | number[]>>();
  const keys = lengths.get(length) ?? new Map<string | bigint, number | number[]>();
  level.set(name, lengths.set(length, keys));
  const before = keys.get(key);
  if (before === undefined) keys.set(key, index);
  else if (typeof before === 'number') keys.set(key, [before, index]);
  else before.push(index);
};

const families = { 4: 'ip4', 6: 'ip6' } as const;

const indexKeysOf = (name: Dimension, value: string): readonly IndexKey[] => {
  if (name === 'ip') {
    const range = parseRange(value);
    if (range === undefined) return [];
    return [{ name: families[range.family], length: range.length, key: prefixBits(range, range.length) }];
  }
  if (!isPrefix(value)) return [{ name, length: -1, key: normaliseDimension(name, value) }];
  const prefix = normaliseDimension(name, value.slice(0, -1));
  return [{ name, length: prefix.length, key: prefix }];
};

/** The most selective dimension: callers' own before shared ones, and few values before many. */
const chooseDimension = (match: Match): Dimension | undefined => {
  const weigh = (name: string, values: readonly string[]): number =>
    values.length + (values.some(isPrefix) ? 1_000 : 0) + (sharedDimensions.has(name) ? 100_000 : 0);
  const [best] = Object.entries(match).sort((one, other) => weigh(...one) - weigh(...other));
  return best?.[0] as Dimension | undefined;
};

const findIndexes = (level: IndexLevel, dimensions: Dimensions): Set<number> => {
  const indexes = new Set<number>();
  const findByKey = (name: string, cut: (length: number) => string | bigint): void => {
    for (const [length, keys] of level.get(name) ?? []) {
      const found = keys.get(cut(length));
      if (typeof found === 'number') indexes.add(found);
      else for (const index of found ?? []) indexes.add(index);
    }
  };
  for (const [name, value] of Object.entries(dimensions) as [Dimension, string | undefined][]) {
    if (value === undefined) continue;
    if (name !== 'ip') {
      if (!level.has(name)) continue;
      const written = normaliseDimension(name, value);
      findByKey(name, (length) => (length === -1 ? written : written.slice(0, length)));
    } else if (level.has('ip4') || level.has('ip6')) {
      const address = parseAddress(value);
      if (address !== undefined) findByKey(families[address.family], (length) => prefixBits(address, length));
    }
  }
  return indexes;
};

/** Index over the matches of entries, without the entries. */
export interface MatchIndex {
  readonly add: (match: Match, index: number) => void;
  /** Indexes of entries that may match, in order. */
  readonly find: (dimensions: Dimensions) => readonly number[];
}

export const createMatchIndex = (): MatchIndex => {
  const level: IndexLevel = new Map();
  const always: number[] = [];
  return {
    add: (match, index) => {
      const name = chooseDimension(match);
      if (name === undefined) always.push(index);
      else
        for (const value of match[name] ?? [])
          for (const key of indexKeysOf(name, value)) addToLevel(level, key, index);
    },
    find: (dimensions) => {
      if (always.length + level.size === 0) return [];
      return [...findIndexes(level, dimensions), ...always].sort((one, other) => one - other);
    },
  };
};

const indexOf = (entries: Entries<{ readonly match: Match }>): MatchIndex => {
  const index = createMatchIndex();
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries.at(at);
    if (entry !== undefined) index.add(entry.match, at);
  }
  return index;
};

/** Entries that match the request, in the policy's order. */
export type FindMatching<T> = (dimensions: Dimensions) => readonly T[];

/** Size of the cache of compiled entries, per generation; there are two. */
const maxCompiledEntries = 8_192;

/** Compiles entries on first use. */
export const createMatching = <T extends { readonly match: Match }>(
  entries: Entries<T>,
  index: MatchIndex = indexOf(entries),
): FindMatching<T> => {
  const ready = memoize<{ readonly isAbout: DimensionTest; readonly value: T } | undefined, number>(maxCompiledEntries);
  const read = (at: number) => {
    const value = entries.at(at);
    return value === undefined ? undefined : { isAbout: createMatcher(value.match), value };
  };
  return (dimensions) => {
    const about: T[] = [];
    for (const at of index.find(dimensions)) {
      const entry = ready(at, () => read(at));
      if (entry?.isAbout(dimensions) === true) about.push(entry.value);
    }
    return about;
  };
};
