/** Questions about who is below whom. */
import type { NodeId } from '../ids';
import { limits } from '../limits';
import type { Effort } from './effort';
import { childrenOf, nodeOf, type Scene } from './scene';

/** From the node itself to the top. Bounded, though a scene has no cycle. */
export function* upFrom(scene: Scene, id: NodeId | null): Generator<NodeId> {
  let at = id;
  for (let steps = 0; at !== null && steps <= 2 * limits.depth; steps += 1) {
    const node = nodeOf(scene, at);
    if (node === undefined) return;
    yield at;
    at = node.parentId;
  }
}

export const isWithin = (scene: Scene, id: NodeId | null, ancestor: NodeId): boolean => {
  for (const above of upFrom(scene, id)) if (above === ancestor) return true;
  return false;
};

/** 0: nothing, 1: a node at the top. */
export const depthOf = (scene: Scene, id: NodeId | null): number => {
  let depth = 0;
  for (const _ of upFrom(scene, id)) depth += 1;
  return depth;
};

/** Of the longest way down; 0 without children. Only those with children are looked at. */
export const heightOf = (scene: Scene, id: NodeId, effort: Effort): number => {
  const children = scene.children.get(id);
  effort.left -= 1;
  if (children === undefined || effort.left < 0) return 0;
  let height = 0;
  for (const branch of children.branches) height = Math.max(height, heightOf(scene, branch, effort));
  return height + 1;
};

/** The node and all below, each child before its parent; stops after so many. */
export const bottomUp = (scene: Scene, id: NodeId, most: number): readonly NodeId[] => {
  const found: NodeId[] = [];
  const open: NodeId[] = [id];
  for (let at = open.pop(); at !== undefined && found.length < most; at = open.pop()) {
    found.push(at);
    for (const child of childrenOf(scene, at)) {
      if (open.length + found.length > most) break;
      open.push(child);
    }
  }
  return found.reverse();
};
