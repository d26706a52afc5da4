/** Remembers values of a known size; beyond so many bytes, those longest unused are forgotten. */
export interface ByteMemory<Value> {
  readonly get: (key: string) => Value | undefined;
  readonly set: (key: string, value: Value, bytes: number) => void;
  /** Every key that begins so. */
  readonly forget: (prefix: string) => void;
}

export const createByteMemory = <Value>(mostBytes: number): ByteMemory<Value> => {
  // The order of insertion is the order of use.
  const entries = new Map<string, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  const remove = (key: string): void => {
    total -= entries.get(key)?.bytes ?? 0;
    entries.delete(key);
  };
  return {
    get: (key) => {
      const known = entries.get(key);
      if (known === undefined) return undefined;
      entries.delete(key);
      entries.set(key, known);
      return known.value;
    },
    set: (key, value, bytes) => {
      remove(key);
      entries.set(key, { value, bytes });
      total += bytes;
      for (const oldest of entries.keys()) {
        if (total <= mostBytes) break;
        remove(oldest);
      }
    },
    forget: (prefix) => {
      for (const key of [...entries.keys()]) if (key.startsWith(prefix)) remove(key);
    },
  };
};
