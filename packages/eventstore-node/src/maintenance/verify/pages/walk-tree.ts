/** A table's tree of pages: every page once, every key where a search looks for it, and as much of each as its root says. */
import { type File, headerBytes, pageDamage, type Tree, wide } from './file';
import { checkOverflow, childOf, flagsOf, isOverflow, keyBytes, type Page, pageOf, valueAt, valueLength } from './page';
import type { Used } from './used';

export interface Walking {
  readonly file: File;
  readonly used: Used;
  /** Order of keys. */
  readonly compare: (first: Buffer, second: Buffer) => number;
  /** Called for each entry. */
  readonly entry: (page: Page, node: number) => void;
  /** Called after each page. */
  readonly step: () => Promise<void>;
}

interface Visit {
  readonly number: number;
  readonly level: number;
  /** Keys of the page are not below this… */
  readonly from: Buffer | undefined;
  /** …and below this. */
  readonly to: Buffer | undefined;
}

interface Counted {
  branches: number;
  leaves: number;
  overflows: number;
  entries: number;
}

const checkOrder = ({ compare }: Walking, page: Page, { from, to }: Visit): void => {
  // The first key of a branch is never looked at.
  let before = from;
  const keys = page.isLeaf ? page.nodes : page.nodes.slice(1);
  keys.forEach((node, index) => {
    const key = keyBytes(page, node);
    const order = before === undefined ? -1 : compare(before, key);
    if (order > 0 || (order === 0 && (index > 0 || !page.isLeaf)))
      throw pageDamage(page.number, 'its keys are out of order');
    before = key;
  });
  if (before !== undefined && to !== undefined && keys.length > 0 && compare(before, to) >= 0)
    throw pageDamage(page.number, 'its keys belong to another page');
};

const childrenOf = (page: Page, { level, from, to }: Visit): readonly Visit[] =>
  page.nodes.map((node, index) => {
    const next = page.nodes[index + 1];
    return {
      number: childOf(page, node),
      level: level + 1,
      from: index === 0 ? from : keyBytes(page, node),
      to: next === undefined ? to : keyBytes(page, next),
    };
  });

/** A long value's pages. */
const takeOverflow = ({ file, used }: Walking, page: Page, node: number): number => {
  const number = wide(page.bytes, valueAt(page, node));
  const count = Math.floor((headerBytes - 1 + valueLength(page, node)) / file.meta.pageBytes) + 1;
  used.take(number, count, 'a page of a long value');
  checkOverflow(number, file.read(number), file.meta.transaction, count);
  return count;
};

const takeEntries = (walking: Walking, page: Page, counted: Counted): void => {
  for (const node of page.nodes) {
    if ((flagsOf(page, node) & isOverflow) !== 0) counted.overflows += takeOverflow(walking, page, node);
    walking.entry(page, node);
  }
  counted.entries += page.nodes.length;
};

const checkCounts = ({ root, branches, leaves, overflows, entries }: Tree, counted: Counted): void => {
  const same =
    counted.branches === branches &&
    counted.leaves === leaves &&
    counted.overflows === overflows &&
    counted.entries === entries;
  if (!same)
    throw pageDamage(root, `its tree has ${counted.entries} entries of ${entries}, or other pages than it counts`);
};

const noRoot = Number(0xffffffffffffffffn);

export const walkTree = async (walking: Walking, tree: Tree): Promise<void> => {
  const counted: Counted = { branches: 0, leaves: 0, overflows: 0, entries: 0 };
  const visits: Visit[] = [];
  if (tree.root !== noRoot) visits.push({ number: tree.root, level: 1, from: undefined, to: undefined });
  for (let visit = visits.pop(); visit !== undefined; visit = visits.pop()) {
    walking.used.take(visit.number, 1, 'a page of a tree');
    const page = pageOf(visit.number, walking.file.read(visit.number), walking.file.meta.transaction);
    if (page.isLeaf !== (visit.level === tree.depth)) throw pageDamage(visit.number, 'it is not at its depth');
    checkOrder(walking, page, visit);
    if (page.isLeaf) takeEntries(walking, page, counted);
    else visits.push(...childrenOf(page, visit).toReversed());
    counted[page.isLeaf ? 'leaves' : 'branches'] += 1;
    await walking.step();
  }
  checkCounts(tree, counted);
};
