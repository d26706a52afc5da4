/** Which pages are accounted for, in a bit each. */
import { pageDamage } from './file';

export interface Used {
  /** Throws when one of them is none, or is accounted for already. */
  readonly take: (page: number, count: number, what: string) => void;
}

/** The file may end before its last pages, when these are free. */
export const createUsed = (lastPage: number, filePages: number): Used => {
  const bits = Buffer.alloc(Math.floor(filePages / 8) + 1);
  const takeOne = (page: number, what: string): void => {
    const [at, bit] = [Math.floor(page / 8), 1 << (page % 8)];
    if (((bits[at] ?? 0) & bit) !== 0) throw pageDamage(page, `${what} is in use for something else`);
    bits[at] = (bits[at] ?? 0) | bit;
  };
  return {
    take: (page, count, what) => {
      if (page < 2 || page + count - 1 > lastPage) throw pageDamage(page, `${what} is beyond the last page`);
      for (let taken = 0; taken < count && page + taken < filePages; taken += 1) takeOne(page + taken, what);
    },
  };
};
