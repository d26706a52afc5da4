/** A map in the order of use. */

export interface RecentlyUsed<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value) => void;
  readonly removeOldest: () => void;
  readonly entries: () => readonly (readonly [key: string, value: Value])[];
  readonly size: () => number;
}

export const createRecentlyUsed = <Value>(): RecentlyUsed<Value> => {
  const values = new Map<string, Value>();
  // One iterator for all removals: a new one would pass what was deleted before, each time.
  let oldest = values.keys();
  return {
    get: (key) => values.get(key),
    set: (key, value) => {
      values.delete(key);
      values.set(key, value);
    },
    removeOldest: () => {
      let next = oldest.next();
      if (next.done === true) {
        oldest = values.keys();
        next = oldest.next();
      }
      if (next.done !== true) values.delete(next.value);
    },
    entries: () => [...values],
    size: () => values.size,
  };
};
