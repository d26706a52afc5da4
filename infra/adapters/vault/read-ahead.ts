/** Adaptive read-ahead of keys: grows while prefetched keys are used, stops when they are not. */
export interface ReadAhead {
  /** Size of the next batch. */
  readonly next: (wasUsed: (id: string) => boolean) => number;
  readonly fetched: (ids: readonly string[]) => void;
}

const maxKeys = 256;

export const createReadAhead = (): ReadAhead => {
  let keys = 8;
  let page: readonly string[] = [];
  return {
    next: (wasUsed) => {
      const used = page.filter(wasUsed).length;
      keys = used * 2 >= page.length ? Math.min(maxKeys, Math.max(1, keys * 2)) : Math.floor(keys / 2);
      return keys;
    },
    fetched: (ids) => {
      page = ids;
    },
  };
};
