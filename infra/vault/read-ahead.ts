/** How many keys to fetch at once for whoever reads on: more while those fetched before are used, none when they are not. */
export interface ReadAhead {
  /** Of the next page. */
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
