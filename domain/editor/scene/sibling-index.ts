/** Children of one parent, sorted by (key, id), in blocks: an insert among a million moves a few hundred entries. */
import type { NodeId } from '../ids';

export interface Sibling {
  readonly orderKey: string;
  readonly id: NodeId;
}

/** The empty id sorts before all others with the same key. */
export interface SiblingPosition {
  readonly orderKey: string;
  readonly id: string;
}

export interface SiblingIndex {
  /** No block is empty. */
  readonly blocks: Sibling[][];
  size: number;
}

const blockSize = 512;

export const emptySiblingIndex = (): SiblingIndex => ({ blocks: [], size: 0 });

/** Keys and ids are ASCII, so comparing code units compares bytes. */
const compare = (left: SiblingPosition, right: SiblingPosition): number => {
  if (left.orderKey !== right.orderKey) return left.orderKey < right.orderKey ? -1 : 1;
  if (left.id === right.id) return 0;
  return left.id < right.id ? -1 : 1;
};

/** Binary search: how many items satisfy `isBefore`. */
const countBefore = <Item>(items: readonly Item[], isBefore: (item: Item) => boolean): number => {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const item = items[middle];
    if (item !== undefined && isBefore(item)) low = middle + 1;
    else high = middle;
  }
  return low;
};

interface BlockPosition {
  readonly block: number;
  readonly index: number;
}

const findPosition = ({ blocks }: SiblingIndex, sibling: SiblingPosition): BlockPosition => {
  const startsAfter = countBefore(blocks, (block) => block[0] !== undefined && compare(block[0], sibling) <= 0);
  const block = Math.max(0, startsAfter - 1);
  return { block, index: countBefore(blocks[block] ?? [], (other) => compare(other, sibling) < 0) };
};

/** Fast path: most inserts go to the end. */
const appendPosition = ({ blocks }: SiblingIndex, sibling: Sibling): BlockPosition | undefined => {
  const block = blocks[blocks.length - 1];
  const last = block?.[block.length - 1];
  if (block === undefined || last === undefined || compare(last, sibling) >= 0) return undefined;
  return { block: blocks.length - 1, index: block.length };
};

export const insertSibling = (siblings: SiblingIndex, sibling: Sibling): void => {
  const { block: blockIndex, index } = appendPosition(siblings, sibling) ?? findPosition(siblings, sibling);
  const block = siblings.blocks[blockIndex];
  siblings.size += 1;
  if (block === undefined) {
    siblings.blocks.push([sibling]);
    return;
  }
  block.splice(index, 0, sibling);
  if (block.length > blockSize) siblings.blocks.splice(blockIndex + 1, 0, block.splice(blockSize >>> 1));
};

export const removeSibling = (siblings: SiblingIndex, sibling: Sibling): void => {
  const { block: blockIndex, index } = findPosition(siblings, sibling);
  const block = siblings.blocks[blockIndex];
  if (block?.[index]?.id !== sibling.id) return;
  siblings.size -= 1;
  block.splice(index, 1);
  if (block.length === 0) siblings.blocks.splice(blockIndex, 1);
};

/** From the position on. */
export function* siblingsFrom(siblings: SiblingIndex, from: SiblingPosition): Generator<Sibling> {
  const place = findPosition(siblings, from);
  for (let number = place.block; number < siblings.blocks.length; number += 1) {
    const block = siblings.blocks[number] ?? [];
    for (let index = number === place.block ? place.index : 0; index < block.length; index += 1) {
      const sibling = block[index];
      if (sibling !== undefined) yield sibling;
    }
  }
}

/** Backwards from the position. */
export function* siblingsBefore(siblings: SiblingIndex, before: SiblingPosition): Generator<Sibling> {
  const place = findPosition(siblings, before);
  for (let number = place.block; number >= 0; number -= 1) {
    const block = siblings.blocks[number] ?? [];
    for (let index = (number === place.block ? place.index : block.length) - 1; index >= 0; index -= 1) {
      const sibling = block[index];
      if (sibling !== undefined) yield sibling;
    }
  }
}

export function* siblingIds({ blocks }: SiblingIndex): Generator<NodeId> {
  for (const block of blocks) for (const { id } of block) yield id;
}
