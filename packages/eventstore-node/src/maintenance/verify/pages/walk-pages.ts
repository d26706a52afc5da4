/** All pages of the file: those of the tables, and those that are free, each of them once. */
import { type Progress, stepsBetween } from '../walk-log';
import { type File, openFile, pageDamage, type Tree, tableBytes, treeIn, wide } from './file';
import { flagsOf, isOverflow, isTable, type Page, valueAt, valueLength } from './page';
import { createUsed, type Used } from './used';
import { type Walking, walkTree } from './walk-tree';

const byBytes = (first: Buffer, second: Buffer): number => first.compare(second);

/** Transactions that freed pages, which are numbers. */
const byNumber = (first: Buffer, second: Buffer): number => {
  if (first.length !== 8 || second.length !== 8) return 1;
  return wide(first, 0) - wide(second, 0);
};

/** A value that may stand on pages of its own. */
const storedIn = (file: File, page: Page, node: number): Buffer => {
  const [at, length] = [valueAt(page, node), valueLength(page, node)];
  if ((flagsOf(page, node) & isOverflow) === 0) return page.bytes.subarray(at, at + length);
  return file.readLong(wide(page.bytes, at), length);
};

/** Free pages: a count, then numbers; a negative one says how many follow from the next number on. */
const takeFree = (list: Buffer, used: Used, owner: number): void => {
  const words = Math.floor(list.length / 8);
  const count = words === 0 ? 0 : wide(list, 0);
  if (count >= words) throw pageDamage(owner, 'its list of free pages is longer than it is');
  for (let word = 1; word <= count; word += 1) {
    const value = list.readBigInt64LE(8 * word);
    if (value > 0n) used.take(Number(value), 1, 'a free page');
    // A block whose first page stands in another list is that list's.
    if (value >= 0n || word === count) continue;
    word += 1;
    const first = wide(list, 8 * word);
    if (first > 0) used.take(first, Number(-value), 'a free page');
  }
};

const tablesIn = async (walking: Omit<Walking, 'entry'>, main: Tree): Promise<readonly Tree[]> => {
  const tables: Tree[] = [];
  const entry = (page: Page, node: number): void => {
    if ((flagsOf(page, node) & isTable) === 0) return;
    if (valueLength(page, node) !== tableBytes) throw pageDamage(page.number, 'a table is described wrongly');
    tables.push(treeIn(page.bytes, valueAt(page, node)));
  };
  await walkTree({ ...walking, entry }, main);
  return tables;
};

export const walkPages = async (path: string, progressOf: (total: number) => Progress): Promise<void> => {
  const file = openFile(path);
  const { free, main, lastPage } = file.meta;
  const progress = progressOf(lastPage);
  let pages = 0;
  const step = async (): Promise<void> => {
    pages += 1;
    if (pages % stepsBetween === 0) await progress(pages);
  };
  try {
    const used = createUsed(lastPage, file.pages);
    const walking = { file, used, compare: byBytes, step };
    for (const table of await tablesIn(walking, main)) await walkTree({ ...walking, entry: () => undefined }, table);
    const entry = (page: Page, node: number): void => takeFree(storedIn(file, page, node), used, page.number);
    await walkTree({ ...walking, compare: byNumber, entry }, free);
  } finally {
    file.close();
  }
};
