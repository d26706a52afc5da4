/** Checks all pages of the file: each belongs to a table or is free, exactly once. */
import { type Progress, stepsBetweenProgress } from '../check-log';
import { type BtreeCheck, checkBtree, createPageBitmap, type PageBitmap } from './check-btree';
import { type LmdbFile, openLmdbFile, pageCorruption, parseTree, readUint64, type Tree, tableBytes } from './lmdb-file';
import { flagsOf, isOverflow, isTable, type LmdbPage, valueAt, valueLength } from './lmdb-page';

const byBytes = (first: Buffer, second: Buffer): number => first.compare(second);

/** The keys are the numbers of the transactions that freed the pages. */
const byNumber = (first: Buffer, second: Buffer): number => {
  if (first.length !== 8 || second.length !== 8) return 1;
  return readUint64(first, 0) - readUint64(second, 0);
};

/** A value that may have overflow pages. */
const readValue = (file: LmdbFile, page: LmdbPage, node: number): Buffer => {
  const [at, length] = [valueAt(page, node), valueLength(page, node)];
  if ((flagsOf(page, node) & isOverflow) === 0) return page.bytes.subarray(at, at + length);
  return file.readLong(readUint64(page.bytes, at), length);
};

/** Free pages: a count, then numbers; a negative number counts the free pages from the next number on. */
const markFreePages = (list: Buffer, used: PageBitmap, owner: number): void => {
  const words = Math.floor(list.length / 8);
  const count = words === 0 ? 0 : readUint64(list, 0);
  if (count >= words) throw pageCorruption(owner, 'its list of free pages is longer than it is');
  for (let word = 1; word <= count; word += 1) {
    const value = list.readBigInt64LE(8 * word);
    if (value > 0n) used.mark(Number(value), 1, 'a free page');
    // A block whose first page is in another list belongs to that list.
    if (value >= 0n || word === count) continue;
    word += 1;
    const first = readUint64(list, 8 * word);
    if (first > 0) used.mark(first, Number(-value), 'a free page');
  }
};

const findTables = async (walking: Omit<BtreeCheck, 'entry'>, main: Tree): Promise<readonly Tree[]> => {
  const tables: Tree[] = [];
  const entry = (page: LmdbPage, node: number): void => {
    if ((flagsOf(page, node) & isTable) === 0) return;
    if (valueLength(page, node) !== tableBytes) throw pageCorruption(page.number, 'a table is described wrongly');
    tables.push(parseTree(page.bytes, valueAt(page, node)));
  };
  await checkBtree({ ...walking, entry }, main);
  return tables;
};

export const checkPages = async (path: string, progressOf: (total: number) => Progress): Promise<void> => {
  const file = openLmdbFile(path);
  const { free, main, lastPage } = file.meta;
  const progress = progressOf(lastPage);
  let pages = 0;
  const step = async (): Promise<void> => {
    pages += 1;
    if (pages % stepsBetweenProgress === 0) await progress(pages);
  };
  try {
    const used = createPageBitmap(lastPage, file.pages);
    const walking = { file, used, compare: byBytes, step };
    for (const table of await findTables(walking, main))
      await checkBtree({ ...walking, entry: () => undefined }, table);
    const entry = (page: LmdbPage, node: number): void => markFreePages(readValue(file, page, node), used, page.number);
    await checkBtree({ ...walking, compare: byNumber, entry }, free);
  } finally {
    file.close();
  }
};
