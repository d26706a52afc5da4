/** Ancestors, depth, height and subtrees. */
import type { NodeId } from '../ids';
import { limits } from '../limits';
import { childIds, getNode, type Scene } from './scene';
import type { WorkBudget } from './work-budget';

/** From the node to the top. Bounded, although a scene has no cycles. */
export function* selfAndAncestors(scene: Scene, id: NodeId | null): Generator<NodeId> {
  let at = id;
  for (let steps = 0; at !== null && steps <= 2 * limits.depth; steps += 1) {
    const node = getNode(scene, at);
    if (node === undefined) return;
    yield at;
    at = node.parentId;
  }
}

export const isSelfOrDescendant = (scene: Scene, id: NodeId | null, ancestor: NodeId): boolean => {
  for (const above of selfAndAncestors(scene, id)) if (above === ancestor) return true;
  return false;
};

/** 0 for null, 1 at the top. */
export const depthOf = (scene: Scene, id: NodeId | null): number => {
  let depth = 0;
  for (const _ of selfAndAncestors(scene, id)) depth += 1;
  return depth;
};

/** Length of the longest path down; 0 without children. Visits only nodes with children. */
export const heightOf = (scene: Scene, id: NodeId, budget: WorkBudget): number => {
  const children = scene.children.get(id);
  budget.remaining -= 1;
  if (children === undefined || budget.remaining < 0) return 0;
  let height = 0;
  for (const branch of children.branches) height = Math.max(height, heightOf(scene, branch, budget));
  return height + 1;
};

/** The subtree, children before parents, up to `most` nodes. */
export const subtreePostOrder = (scene: Scene, id: NodeId, most: number): readonly NodeId[] => {
  const found: NodeId[] = [];
  const open: NodeId[] = [id];
  for (let at = open.pop(); at !== undefined && found.length < most; at = open.pop()) {
    found.push(at);
    for (const child of childIds(scene, at)) {
      if (open.length + found.length > most) break;
      open.push(child);
    }
  }
  return found.reverse();
};
