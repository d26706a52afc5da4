/** Invariants of scenes, for tests and audits. */

import { isRenderedWithin } from '../components/component-links';
import { limits } from '../limits';
import {
  childIds,
  countNodes,
  getNode,
  instancesOf,
  iterateNodes,
  mainComponentId,
  type Scene,
  type SceneNode,
  siblingsOf,
} from './scene';
import { fullBudget } from './work-budget';

const parentViolations = (scene: Scene, node: SceneNode): readonly string[] => {
  if (node.parentId !== null && getNode(scene, node.parentId) === undefined)
    return [`${node.id} has the parent ${node.parentId}, which is not there`];
  let at: SceneNode | undefined = node;
  for (let depth = 0; depth <= limits.depth; depth += 1) {
    if (at.parentId === null) return [];
    const parent = getNode(scene, at.parentId);
    if (parent === undefined) return [];
    at = parent;
  }
  return [`${node.id} lies too deep or in a cycle`];
};

const linkViolations = (scene: Scene, node: SceneNode): readonly string[] => {
  const main = mainComponentId(node);
  const known = main === undefined || [...instancesOf(scene, main)].includes(node.id);
  const isWithinItself = main !== undefined && isRenderedWithin(scene, { start: node.id, goal: node.id }, fullBudget());
  return [
    ...(known ? [] : [`${node.id} is missing among the instances of ${main}`]),
    ...(isWithinItself ? [`${node.id} is shown within itself`] : []),
  ];
};

const orderViolations = (scene: Scene, parentId: SceneNode['parentId']): readonly string[] => {
  const faults: string[] = [];
  const ids = [...childIds(scene, parentId)];
  const nodes = ids.map((id) => getNode(scene, id));
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1];
    if (node?.parentId !== parentId) faults.push(`${ids[index]} is listed below ${parentId}`);
    if (node !== undefined && next !== undefined && node.orderKey >= next.orderKey)
      faults.push(`${node.id} and ${next.id} are not in their order`);
  }
  if (siblingsOf(scene, parentId).size !== ids.length) faults.push(`children of ${parentId} are miscounted`);
  return faults;
};

const branchViolations = (scene: Scene, node: SceneNode): readonly string[] => {
  const marked = scene.children.get(node.parentId)?.branches.has(node.id) === true;
  return marked === scene.children.has(node.id) ? [] : [`${node.id} is wrongly marked as having children`];
};

/** Violations found: dangling parents, cycles, wrong order, wrong indexes. */
export const findInvariantViolations = (scene: Scene): string[] => {
  const faults: string[] = [];
  let listed = 0;
  for (const node of iterateNodes(scene))
    faults.push(...parentViolations(scene, node), ...linkViolations(scene, node), ...branchViolations(scene, node));
  for (const [parentId, children] of scene.children) {
    listed += children.size;
    faults.push(...orderViolations(scene, parentId));
  }
  if (listed !== countNodes(scene)) faults.push(`${listed} nodes are listed, ${countNodes(scene)} are there`);
  return faults;
};
