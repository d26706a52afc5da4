/** A key among siblings that nobody else has, for a node that asks for one. */
import type { NodeId, OrderKey } from '../ids';
import { limits } from '../limits';
import { keyBetween, keysBetween } from './order-keys';
import { type Scene, siblingsOf } from './scene';
import { type Sibling, type Siblings, siblingsBefore, siblingsFrom } from './siblings';

export interface Placed {
  readonly orderKey: OrderKey;
  /** Siblings that had to make room, with their new keys. */
  readonly reordered: readonly Sibling[];
}

interface Wanted {
  readonly id: NodeId;
  readonly orderKey: OrderKey;
}

/** How many on each side are spread: the fewer, the less is said to everybody. */
const reaches = [8, 32, 128, 512, 1_000];
/** Spread ones have room for inserts to come. */
const roomy = limits.orderKeyLength / 2;

const nearest = (from: Iterable<Sibling>, count: number, self: string): readonly Sibling[] => {
  const found: Sibling[] = [];
  for (const sibling of from) {
    if (sibling.id === self) continue;
    found.push(sibling);
    if (found.length > count) break;
  }
  return found;
};

const spread = (siblings: Siblings, wanted: Sibling, reach: number): Placed | undefined => {
  const lower = nearest(siblingsBefore(siblings, wanted), reach, wanted.id);
  const upper = nearest(siblingsFrom(siblings, wanted), reach, wanted.id);
  const below = lower.slice(0, reach).toReversed();
  const inOrder = [...below, wanted, ...upper.slice(0, reach)];
  const keys = keysBetween(lower[reach]?.orderKey, upper[reach]?.orderKey, inOrder.length);
  const longest = keys?.reduce((length, key) => Math.max(length, key.length), 0) ?? Number.POSITIVE_INFINITY;
  const bound = reach === reaches.at(-1) ? limits.orderKeyLength : roomy;
  const orderKey = keys?.[below.length];
  if (keys === undefined || orderKey === undefined || longest > bound) return undefined;
  const renamed = inOrder.map(({ id, orderKey: old }, index) => ({ id, orderKey: keys[index] ?? old }));
  return {
    orderKey,
    reordered: renamed.filter(({ id, orderKey: key }, index) => id !== wanted.id && key !== inOrder[index]?.orderKey),
  };
};

/** The sibling that has the key already, and the next one. */
const around = (siblings: Siblings, wanted: Sibling): { taken: boolean; next: string | undefined } => {
  let taken = false;
  for (const { id, orderKey } of siblingsFrom(siblings, { orderKey: wanted.orderKey, id: '' })) {
    if (id === wanted.id) continue;
    if (orderKey !== wanted.orderKey) return { taken, next: orderKey };
    taken = true;
  }
  return { taken, next: undefined };
};

/** The wanted key, or a free one right after it; nothing, where strangers left no room at all. */
export const place = (scene: Scene, parentId: NodeId | null, wanted: Wanted): Placed | undefined => {
  const siblings = siblingsOf(scene, parentId);
  const { taken, next } = around(siblings, wanted);
  const free = taken ? keyBetween(wanted.orderKey, next) : wanted.orderKey;
  if (free !== undefined && free.length <= limits.orderKeyLength) return { orderKey: free, reordered: [] };
  for (const reach of reaches) {
    const placed = spread(siblings, wanted, reach);
    if (placed !== undefined) return placed;
  }
  return undefined;
};
