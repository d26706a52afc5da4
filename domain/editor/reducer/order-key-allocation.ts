/** Allocates a free order key near the requested one, and respaces siblings if there is none. */
import type { NodeId, OrderKey } from '../ids';
import { limits } from '../limits';
import { keyBetween, keysBetween } from '../scene/fractional-index';
import { getNode, type Scene, siblingsOf } from '../scene/scene';
import { type Sibling, type SiblingIndex, siblingsBefore, siblingsFrom } from '../scene/sibling-index';
import { isSpent, type WorkBudget } from '../scene/work-budget';
import { type BeforeImage, setNodeJournaled } from './rollback-journal';

export interface OrderKeyAllocation {
  readonly orderKey: OrderKey;
  /** Siblings with new keys. */
  readonly reordered: readonly Sibling[];
}

interface OrderKeyRequest {
  readonly id: NodeId;
  readonly orderKey: OrderKey;
}

/** How many siblings on each side are respaced; as few as possible, because every client receives them. */
const spreadDistances = [8, 32, 128, 512, 1_000];
/** Respaced keys leave room for later inserts. */
const comfortableKeyLength = limits.orderKeyLength / 2;

const nearestSiblings = (from: Iterable<Sibling>, count: number, self: string): readonly Sibling[] => {
  const found: Sibling[] = [];
  for (const sibling of from) {
    if (sibling.id === self) continue;
    found.push(sibling);
    if (found.length > count) break;
  }
  return found;
};

const spreadKeys = (siblings: SiblingIndex, wanted: Sibling, reach: number): OrderKeyAllocation | undefined => {
  const lower = nearestSiblings(siblingsBefore(siblings, wanted), reach, wanted.id);
  const upper = nearestSiblings(siblingsFrom(siblings, wanted), reach, wanted.id);
  const below = lower.slice(0, reach).toReversed();
  const inOrder = [...below, wanted, ...upper.slice(0, reach)];
  const keys = keysBetween(lower[reach]?.orderKey, upper[reach]?.orderKey, inOrder.length);
  const longest = keys?.reduce((length, key) => Math.max(length, key.length), 0) ?? Number.POSITIVE_INFINITY;
  const bound = reach === spreadDistances.at(-1) ? limits.orderKeyLength : comfortableKeyLength;
  const orderKey = keys?.[below.length];
  if (keys === undefined || orderKey === undefined || longest > bound) return undefined;
  const renamed = inOrder.map(({ id, orderKey: old }, index) => ({ id, orderKey: keys[index] ?? old }));
  return {
    orderKey,
    reordered: renamed.filter(({ id, orderKey: key }, index) => id !== wanted.id && key !== inOrder[index]?.orderKey),
  };
};

/** Whether the key is taken, and the next sibling's key. */
const findConflict = (siblings: SiblingIndex, wanted: Sibling): { taken: boolean; next: string | undefined } => {
  let taken = false;
  for (const { id, orderKey } of siblingsFrom(siblings, { orderKey: wanted.orderKey, id: '' })) {
    if (id === wanted.id) continue;
    if (orderKey !== wanted.orderKey) return { taken, next: orderKey };
    taken = true;
  }
  return { taken, next: undefined };
};

/** The requested key, or a free one after it; undefined if no room can be made. */
export const allocateOrderKey = (
  scene: Scene,
  parentId: NodeId | null,
  wanted: OrderKeyRequest,
): OrderKeyAllocation | undefined => {
  const siblings = siblingsOf(scene, parentId);
  const { taken, next } = findConflict(siblings, wanted);
  const free = taken ? keyBetween(wanted.orderKey, next) : wanted.orderKey;
  if (free !== undefined && free.length <= limits.orderKeyLength) return { orderKey: free, reordered: [] };
  for (const reach of spreadDistances) {
    const placed = spreadKeys(siblings, wanted, reach);
    if (placed !== undefined) return placed;
  }
  return undefined;
};

export interface ReorderState {
  readonly scene: Scene;
  readonly journal: BeforeImage[];
  readonly reordered: Set<NodeId>;
  readonly budget: WorkBudget;
}

const maxReordered = 4_000;

/** False if more siblings would move than one operation may change. */
export const applyReorder = (
  { scene, journal, reordered, budget }: ReorderState,
  placed: OrderKeyAllocation,
): boolean => {
  for (const { id, orderKey } of placed.reordered) {
    const node = getNode(scene, id);
    if (node === undefined) continue;
    reordered.add(id);
    setNodeJournaled(scene, journal, { id, node: { ...node, orderKey } });
  }
  return reordered.size <= maxReordered && !isSpent(budget);
};

/** The key after the whole operation: a later part of it may have respaced an earlier one. */
export const currentOrderKey = (scene: Scene, id: NodeId, otherwise: OrderKey): OrderKey =>
  (getNode(scene, id)?.orderKey as OrderKey | undefined) ?? otherwise;

/** New keys of siblings that the operation does not name itself. */
export const reorderedKeys = (
  room: ReorderState,
  named: ReadonlySet<NodeId>,
): { reordered?: { [id: string]: OrderKey } } => {
  const others = [...room.reordered].filter((id) => !named.has(id));
  if (others.length === 0) return {};
  return { reordered: Object.fromEntries(others.map((id) => [id, currentOrderKey(room.scene, id, '' as OrderKey)])) };
};
