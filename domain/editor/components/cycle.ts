/**
 * A main component must not be shown within itself, through however many instances. A node is shown in its parent, and in each of its
 * instances: going that way from a node must never come back.
 */
import type { NodeId } from '../ids';
import type { Effort } from '../scene/effort';
import { instancesOf, nodeOf, type Scene } from '../scene/scene';

/** Whether `goal` is met on the way up from the places that `start` is shown in. An effort that is spent has no answer. */
export const isShownWithin = (scene: Scene, ends: { start: NodeId; goal: NodeId }, effort: Effort): boolean => {
  const { start, goal } = ends;
  const seen = new Set<NodeId>();
  const open: NodeId[] = [];
  const goOn = (id: NodeId): void => {
    const parentId = nodeOf(scene, id)?.parentId ?? null;
    if (parentId !== null) open.push(parentId);
    for (const instance of instancesOf(scene, id)) open.push(instance);
  };
  goOn(start);
  for (let id = open.pop(); id !== undefined && effort.left >= 0; id = open.pop()) {
    effort.left -= 1;
    if (id === goal) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    goOn(id);
  }
  return false;
};

export const isMain = (scene: Scene, id: NodeId): boolean => {
  const node = nodeOf(scene, id);
  return node !== undefined && Object.hasOwn(node.properties, 'component');
};
