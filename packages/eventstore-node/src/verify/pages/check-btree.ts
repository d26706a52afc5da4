/** Checks a table's B+ tree: every page once, every key where a search looks for it, and the counts of its root. */
import { headerBytes, type LmdbFile, pageCorruption, readUint64, type Tree } from './lmdb-file';
import {
  checkOverflow,
  childOf,
  flagsOf,
  isOverflow,
  keyBytes,
  type LmdbPage,
  parsePage,
  valueAt,
  valueLength,
} from './lmdb-page';

export interface BtreeCheck {
  readonly file: LmdbFile;
  readonly used: PageBitmap;
  /** Compares keys. */
  readonly compare: (first: Buffer, second: Buffer) => number;
  /** Called for each entry. */
  readonly entry: (page: LmdbPage, node: number) => void;
  /** Called after each page. */
  readonly step: () => Promise<void>;
}

interface PageVisit {
  readonly number: number;
  readonly level: number;
  /** Lower bound of the page's keys, inclusive… */
  readonly from: Buffer | undefined;
  /** …and upper bound, exclusive. */
  readonly to: Buffer | undefined;
}

interface BtreeCounts {
  branches: number;
  leaves: number;
  overflows: number;
  entries: number;
}

const checkOrder = ({ compare }: BtreeCheck, page: LmdbPage, { from, to }: PageVisit): void => {
  // The first key of a branch is never read.
  let before = from;
  const keys = page.isLeaf ? page.nodes : page.nodes.slice(1);
  keys.forEach((node, index) => {
    const key = keyBytes(page, node);
    const order = before === undefined ? -1 : compare(before, key);
    if (order > 0 || (order === 0 && (index > 0 || !page.isLeaf)))
      throw pageCorruption(page.number, 'its keys are out of order');
    before = key;
  });
  if (before !== undefined && to !== undefined && keys.length > 0 && compare(before, to) >= 0)
    throw pageCorruption(page.number, 'its keys belong to another page');
};

const childrenOf = (page: LmdbPage, { level, from, to }: PageVisit): readonly PageVisit[] =>
  page.nodes.map((node, index) => {
    const next = page.nodes[index + 1];
    return {
      number: childOf(page, node),
      level: level + 1,
      from: index === 0 ? from : keyBytes(page, node),
      to: next === undefined ? to : keyBytes(page, next),
    };
  });

/** The overflow pages of a long value. */
const markOverflowPages = ({ file, used }: BtreeCheck, page: LmdbPage, node: number): number => {
  const number = readUint64(page.bytes, valueAt(page, node));
  const count = Math.floor((headerBytes - 1 + valueLength(page, node)) / file.meta.pageBytes) + 1;
  used.mark(number, count, 'a page of a long value');
  checkOverflow(number, file.read(number), file.meta.transaction, count);
  return count;
};

const checkEntries = (walking: BtreeCheck, page: LmdbPage, counted: BtreeCounts): void => {
  for (const node of page.nodes) {
    if ((flagsOf(page, node) & isOverflow) !== 0) counted.overflows += markOverflowPages(walking, page, node);
    walking.entry(page, node);
  }
  counted.entries += page.nodes.length;
};

const checkCounts = ({ root, branches, leaves, overflows, entries }: Tree, counted: BtreeCounts): void => {
  const same =
    counted.branches === branches &&
    counted.leaves === leaves &&
    counted.overflows === overflows &&
    counted.entries === entries;
  if (!same)
    throw pageCorruption(root, `its tree has ${counted.entries} entries of ${entries}, or other pages than it counts`);
};

const noRoot = Number(0xffffffffffffffffn);

export const checkBtree = async (walking: BtreeCheck, tree: Tree): Promise<void> => {
  const counted: BtreeCounts = { branches: 0, leaves: 0, overflows: 0, entries: 0 };
  const visits: PageVisit[] = [];
  if (tree.root !== noRoot) visits.push({ number: tree.root, level: 1, from: undefined, to: undefined });
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    walking.used.mark(visit.number, 1, 'a page of a tree');
    const page = parsePage(visit.number, walking.file.read(visit.number), walking.file.meta.transaction);
    if (page.isLeaf !== (visit.level === tree.depth)) throw pageCorruption(visit.number, 'it is not at its depth');
    checkOrder(walking, page, visit);
    if (page.isLeaf) checkEntries(walking, page, counted);
    else visits.push(...childrenOf(page, visit).toReversed());
    counted[page.isLeaf ? 'leaves' : 'branches'] += 1;
    await walking.step();
  }
  checkCounts(tree, counted);
};

/** The pages found so far, one bit each. */
export interface PageBitmap {
  /** Throws when a page does not exist or was found before. */
  readonly mark: (page: number, count: number, what: string) => void;
}

/** The file may end before its last pages, when these are free. */
export const createPageBitmap = (lastPage: number, filePages: number): PageBitmap => {
  const bits = Buffer.alloc(Math.floor(filePages / 8) + 1);
  const takeOne = (page: number, what: string): void => {
    const [at, bit] = [Math.floor(page / 8), 1 << (page % 8)];
    if (((bits[at] ?? 0) & bit) !== 0) throw pageCorruption(page, `${what} is in use for something else`);
    bits[at] = (bits[at] ?? 0) | bit;
  };
  return {
    mark: (page, count, what) => {
      if (page < 2 || page + count - 1 > lastPage) throw pageCorruption(page, `${what} is beyond the last page`);
      for (let marked = 0; marked < count && page + marked < filePages; marked += 1) takeOne(page + marked, what);
    },
  };
};
