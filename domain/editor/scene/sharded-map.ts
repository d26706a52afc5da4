/**
 * A map divided into shards: growing a map of a million entries blocks a process for a tenth of a second, growing a
 * shard does not.
 */
export interface ShardedMap<Value> {
  readonly maps: (Map<string, Value> | undefined)[];
  size: number;
}

const shardCount = 64;

export const emptyShardedMap = <Value>(): ShardedMap<Value> => ({
  maps: new Array(shardCount).fill(undefined),
  size: 0,
});

const shardIndex = (key: string): number => {
  const last = key.length - 1;
  return (key.charCodeAt(last) * 31 + key.charCodeAt(last - 1) * 7 + key.charCodeAt(last - 2)) & (shardCount - 1);
};

export const getEntry = <Value>(shards: ShardedMap<Value>, key: string): Value | undefined =>
  shards.maps[shardIndex(key)]?.get(key);

export const setEntry = <Value>(shards: ShardedMap<Value>, key: string, value: Value): void => {
  const place = shardIndex(key);
  const map = shards.maps[place] ?? new Map<string, Value>();
  shards.maps[place] = map;
  const before = map.size;
  map.set(key, value);
  shards.size += map.size - before;
};

export const deleteEntry = <Value>(shards: ShardedMap<Value>, key: string): void => {
  if (shards.maps[shardIndex(key)]?.delete(key) === true) shards.size -= 1;
};

export function* iterateValues<Value>(shards: ShardedMap<Value>): Generator<Value> {
  for (const map of shards.maps) if (map !== undefined) yield* map.values();
}
