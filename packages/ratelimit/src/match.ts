/**
 * Which entries of a policy are about a request. Each entry is found by the values of one of its dimensions, so that thousands of
 * overrides and blocks cost a few look-ups; only what is found so is compared as a whole.
 */
import { addressOf, rangeOf, sharedBits } from './addresses';
import { type Dimension, type Dimensions, normalised } from './dimensions';
import type { Match } from './policy';

type Test = (dimensions: Dimensions) => boolean;

const isPrefix = (written: string): boolean => written.endsWith('*');

const addressTest = (values: readonly string[]): ((value: string) => boolean) => {
  const ranges = values.flatMap((value) => rangeOf(value) ?? []);
  return (value) => {
    const address = addressOf(value);
    if (address === undefined) return false;
    return ranges.some(
      (range) =>
        range.family === address.family && sharedBits(range, range.length) === sharedBits(address, range.length),
    );
  };
};

const textTest = (name: Dimension, values: readonly string[]): ((value: string) => boolean) => {
  const exact = new Set(values.filter((value) => !isPrefix(value)).map((value) => normalised(name, value)));
  const prefixes = values.filter(isPrefix).map((value) => normalised(name, value.slice(0, -1)));
  return (value) => {
    const written = normalised(name, value);
    return exact.has(written) || prefixes.some((prefix) => written.startsWith(prefix));
  };
};

/** A dimension that is missing matches nothing, not even `*`. */
export const matcher = (match: Match): Test => {
  const tests = (Object.entries(match) as [Dimension, readonly string[]][]).map(([name, values]) => {
    const isOne = name === 'ip' ? addressTest(values) : textTest(name, values);
    return (dimensions: Dimensions): boolean => {
      const value = dimensions[name];
      return value !== undefined && isOne(value);
    };
  });
  return (dimensions) => tests.every((test) => test(dimensions));
};

interface Entry<T> {
  readonly at: number;
  readonly isAbout: Test;
  readonly value: T;
}

/** Of one dimension: by how much of the value counts (letters or bits; all of it: -1), then by what that is. */
type Shelf<T> = Map<string, Map<number, Map<string | bigint, Entry<T>[]>>>;

const put = <T>(shelf: Shelf<T>, [name, length, key]: readonly [string, number, string | bigint], entry: Entry<T>) => {
  const lengths = shelf.get(name) ?? new Map<number, Map<string | bigint, Entry<T>[]>>();
  const keys = lengths.get(length) ?? new Map<string | bigint, Entry<T>[]>();
  const entries = keys.get(key) ?? [];
  entries.push(entry);
  shelf.set(name, lengths.set(length, keys.set(key, entries)));
};

const families = { 4: 'ip4', 6: 'ip6' } as const;

const placesOf = (name: Dimension, value: string): (readonly [string, number, string | bigint])[] => {
  if (name === 'ip') {
    const range = rangeOf(value);
    return range === undefined ? [] : [[families[range.family], range.length, sharedBits(range, range.length)]];
  }
  if (!isPrefix(value)) return [[name, -1, normalised(name, value)]];
  const prefix = normalised(name, value.slice(0, -1));
  return [[name, prefix.length, prefix]];
};

/** The dimension that says most: those of one caller, and with few values, before those that many share. */
const bestDimension = (match: Match): Dimension | undefined => {
  const shared: ReadonlySet<string> = new Set(['method', 'region', 'route', 'model']);
  const weigh = ([name, values]: readonly [string, readonly string[]]): number =>
    values.length + (values.some(isPrefix) ? 1_000 : 0) + (shared.has(name) ? 100_000 : 0);
  const [best] = Object.entries(match).sort((one, other) => weigh(one) - weigh(other));
  return best?.[0] as Dimension | undefined;
};

const found = <T>(shelf: Shelf<T>, dimensions: Dimensions): ReadonlySet<Entry<T>> => {
  const entries = new Set<Entry<T>>();
  const look = (name: string, cut: (length: number) => string | bigint): void => {
    for (const [length, keys] of shelf.get(name) ?? [])
      for (const entry of keys.get(cut(length)) ?? []) entries.add(entry);
  };
  for (const [name, value] of Object.entries(dimensions) as [Dimension, string | undefined][]) {
    if (value === undefined) continue;
    if (name !== 'ip') {
      if (!shelf.has(name)) continue;
      const written = normalised(name, value);
      look(name, (length) => (length === -1 ? written : written.slice(0, length)));
    } else if (shelf.has('ip4') || shelf.has('ip6')) {
      const address = addressOf(value);
      if (address !== undefined) look(families[address.family], (length) => sharedBits(address, length));
    }
  }
  return entries;
};

/** Those that are about the request, as they stand in the policy. */
export type Matching<T> = (dimensions: Dimensions) => readonly T[];

export const matching = <T extends { readonly match: Match }>(all: readonly T[]): Matching<T> => {
  const shelf: Shelf<T> = new Map();
  const always: Entry<T>[] = [];
  all.forEach((value, at) => {
    const entry = { at, isAbout: matcher(value.match), value };
    const name = bestDimension(value.match);
    if (name === undefined) always.push(entry);
    else for (const one of value.match[name] ?? []) for (const place of placesOf(name, one)) put(shelf, place, entry);
  });
  if (all.length === 0) return () => [];
  return (dimensions) =>
    [...always, ...found(shelf, dimensions)]
      .filter(({ isAbout }) => isAbout(dimensions))
      .sort((one, other) => one.at - other.at)
      .map(({ value }) => value);
};
