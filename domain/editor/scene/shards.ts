/** A map in many: growing one map of a million entries stops a process for a tenth of a second, growing one of these does not. */
export interface Shards<Value> {
  readonly maps: (Map<string, Value> | undefined)[];
  size: number;
}

const count = 64;

export const emptyShards = <Value>(): Shards<Value> => ({ maps: new Array(count).fill(undefined), size: 0 });

const placeOf = (key: string): number => {
  const last = key.length - 1;
  return (key.charCodeAt(last) * 31 + key.charCodeAt(last - 1) * 7 + key.charCodeAt(last - 2)) & (count - 1);
};

export const getOf = <Value>(shards: Shards<Value>, key: string): Value | undefined =>
  shards.maps[placeOf(key)]?.get(key);

export const putInto = <Value>(shards: Shards<Value>, key: string, value: Value): void => {
  const place = placeOf(key);
  const map = shards.maps[place] ?? new Map<string, Value>();
  shards.maps[place] = map;
  const before = map.size;
  map.set(key, value);
  shards.size += map.size - before;
};

export const dropFrom = <Value>(shards: Shards<Value>, key: string): void => {
  if (shards.maps[placeOf(key)]?.delete(key) === true) shards.size -= 1;
};

export function* valuesOf<Value>(shards: Shards<Value>): Generator<Value> {
  for (const map of shards.maps) if (map !== undefined) yield* map.values();
}
