/** A map that a fold may change a hundred thousand times: a change copies one bucket of many, and older maps stay as they were. */

export interface PersistentMap<Value> {
  readonly size: number;
  readonly buckets: readonly (ReadonlyMap<string, Value> | undefined)[];
}

const bucketCount = 1_024;

export const emptyMap: PersistentMap<never> = { size: 0, buckets: [] };

/** FNV-1a. */
const bucketOf = (key: string): number => {
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return (hash >>> 0) % bucketCount;
};

export const findValue = <Value>({ buckets }: PersistentMap<Value>, key: string): Value | undefined =>
  buckets[bucketOf(key)]?.get(key);

const withBucket = <Value>(
  { size, buckets }: PersistentMap<Value>,
  at: number,
  change: (bucket: Map<string, Value>) => void,
): PersistentMap<Value> => {
  const before = buckets[at];
  const bucket = new Map(before);
  change(bucket);
  const all = buckets.length === 0 ? new Array<undefined>(bucketCount).fill(undefined) : buckets.slice();
  all[at] = bucket;
  return { size: size + bucket.size - (before?.size ?? 0), buckets: all };
};

export const withValue = <Value>(map: PersistentMap<Value>, key: string, value: Value): PersistentMap<Value> =>
  withBucket(map, bucketOf(key), (bucket) => bucket.set(key, value));

export const withoutValue = <Value>(map: PersistentMap<Value>, key: string): PersistentMap<Value> =>
  findValue(map, key) === undefined ? map : withBucket(map, bucketOf(key), (bucket) => bucket.delete(key));

export function* entriesOf<Value>({ buckets }: PersistentMap<Value>): Generator<readonly [string, Value]> {
  for (const bucket of buckets) if (bucket !== undefined) yield* bucket;
}
