/** Splits edits that are too large for one operation. */
import type { NodeId } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import type { NewNode } from '../../../../domain/editor/operation';
import { childIds, getNode, type Scene } from '../../../../domain/editor/scene/scene';

/** Well below a batch, so that several fit into one. */
const maxPortion = { nodes: 1_000, bytes: 200_000 };

/** In order; a node above the bound gets a portion of its own. */
export const splitNodes = (nodes: readonly NewNode[]): readonly (readonly NewNode[])[] => {
  const portions: NewNode[][] = [];
  let room = { nodes: 0, bytes: 0 };
  for (const node of nodes) {
    const bytes = JSON.stringify(node).length;
    if (room.nodes < 1 || room.bytes < bytes) {
      portions.push([]);
      room = { ...maxPortion };
    }
    portions.at(-1)?.push(node);
    room = { nodes: room.nodes - 1, bytes: room.bytes - bytes };
  }
  return portions;
};

export interface PlannedDeletion {
  readonly targetIds: NodeId[];
  size: number;
}

/** Subtree sizes of nodes with children, each including the node. */
const subtreeSizes = (scene: Scene, roots: readonly NodeId[]): ReadonlyMap<NodeId, number> => {
  const sizes = new Map<NodeId, number>();
  const order: NodeId[] = [];
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    order.push(id);
    if (scene.children.has(id)) for (const child of childIds(scene, id)) open.push(child);
  }
  for (const id of order.toReversed()) {
    let size = 1;
    if (scene.children.has(id)) for (const child of childIds(scene, id)) size += sizes.get(child) ?? 1;
    sizes.set(id, size);
  }
  return sizes;
};

const isBelowAny = (scene: Scene, id: NodeId, roots: ReadonlySet<NodeId>): boolean => {
  for (let at = getNode(scene, id)?.parentId ?? null; at !== null; at = getNode(scene, at)?.parentId ?? null)
    if (roots.has(at)) return true;
  return false;
};

interface DeletionPlan {
  readonly scene: Scene;
  readonly sizes: ReadonlyMap<NodeId, number>;
  readonly planned: PlannedDeletion[];
  /** Maximum nodes that one operation may delete. */
  readonly maxNodes: number;
}

const addToPlan = ({ planned, maxNodes }: DeletionPlan, id: NodeId, size: number): void => {
  const last = planned.at(-1);
  if (last !== undefined && last.size + size <= maxNodes && last.targetIds.length < limits.targets) {
    last.targetIds.push(id);
    last.size += size;
  } else planned.push({ targetIds: [id], size });
};

/** Plans deletions of children until the rest is small enough; returns the size of the rest. */
const planSubtree = (plan: DeletionPlan, id: NodeId): number => {
  const size = plan.sizes.get(id) ?? 1;
  if (size <= plan.maxNodes) return size;
  for (const child of childIds(plan.scene, id)) addToPlan(plan, child, planSubtree(plan, child));
  return 1;
};

/** Deletions in order, each within the limit of one operation. */
export const splitDeletions = (
  scene: Scene,
  ids: readonly NodeId[],
  bound: number = limits.deleted,
): readonly NodeId[][] => {
  const living = new Set(ids.filter((id) => getNode(scene, id) !== undefined));
  const roots = [...living].filter((id) => !isBelowAny(scene, id, living));
  const plan: DeletionPlan = { scene, sizes: subtreeSizes(scene, roots), planned: [], maxNodes: bound };
  for (const id of roots) addToPlan(plan, id, planSubtree(plan, id));
  return plan.planned.map(({ targetIds }) => targetIds);
};
