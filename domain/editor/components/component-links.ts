/**
 * Checks links between instances and main components. A main component must not be rendered within itself through any
 * chain of instances: a node is rendered in its parent and in each of its instances, and following these links must
 * never return to it.
 */
import { NodeId } from '../ids';
import type { OutcomeReason } from '../outcome';
import type { JsonRecord } from '../scene/json';
import { getNode, instancesOf, type Scene, type SceneNode } from '../scene/scene';
import type { WorkBudget } from '../scene/work-budget';

/**
 * Whether `goal` is reached from `start` by following parents and instances. If the budget runs out, the result is
 * undefined.
 */
export const isRenderedWithin = (scene: Scene, ends: { start: NodeId; goal: NodeId }, budget: WorkBudget): boolean => {
  const { start, goal } = ends;
  const seen = new Set<NodeId>();
  const open: NodeId[] = [];
  const goOn = (id: NodeId): void => {
    const parentId = getNode(scene, id)?.parentId ?? null;
    if (parentId !== null) open.push(parentId);
    for (const instance of instancesOf(scene, id)) open.push(instance);
  };
  goOn(start);
  for (let id = open.pop(); id !== undefined && budget.remaining >= 0; id = open.pop()) {
    budget.remaining -= 1;
    if (id === goal) return true;
    if (seen.has(id)) continue;
    seen.add(id);
    goOn(id);
  }
  return false;
};

export const isMainComponent = (scene: Scene, id: NodeId): boolean => {
  const node = getNode(scene, id);
  return node !== undefined && Object.hasOwn(node.properties, 'component');
};

/** Checks that a node may name its main component. */

interface LinkRequest {
  readonly properties: JsonRecord;
  readonly budget: WorkBudget;
}

export const checkComponentLink = (scene: Scene, node: SceneNode, request: LinkRequest): OutcomeReason | undefined => {
  const { properties, budget } = request;
  const main = properties.instanceOf;
  if (main === node.properties.instanceOf || !NodeId.is(main)) return undefined;
  if (!isMainComponent(scene, main)) return 'component-unknown';
  return main === node.id || isRenderedWithin(scene, { start: node.id, goal: main }, budget)
    ? 'component-cycle'
    : undefined;
};
