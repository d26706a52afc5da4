/** What must hold of every scene, looked at from outside: for tests and audits. */

import { isShownWithin } from '../components/cycle';
import { limits } from '../limits';
import { fullEffort } from './effort';
import {
  childrenOf,
  instancesOf,
  mainOf,
  nodeOf,
  nodesOf,
  type Scene,
  type SceneNode,
  siblingsOf,
  sizeOf,
} from './scene';

const parentFaults = (scene: Scene, node: SceneNode): readonly string[] => {
  if (node.parentId !== null && nodeOf(scene, node.parentId) === undefined)
    return [`${node.id} has the parent ${node.parentId}, which is not there`];
  let at: SceneNode | undefined = node;
  for (let depth = 0; depth <= limits.depth; depth += 1) {
    if (at.parentId === null) return [];
    const parent = nodeOf(scene, at.parentId);
    if (parent === undefined) return [];
    at = parent;
  }
  return [`${node.id} lies too deep or in a cycle`];
};

const linkFaults = (scene: Scene, node: SceneNode): readonly string[] => {
  const main = mainOf(node);
  const known = main === undefined || [...instancesOf(scene, main)].includes(node.id);
  const shown = main !== undefined && isShownWithin(scene, { start: node.id, goal: node.id }, fullEffort());
  return [
    ...(known ? [] : [`${node.id} is missing among the instances of ${main}`]),
    ...(shown ? [`${node.id} is shown within itself`] : []),
  ];
};

const orderFaults = (scene: Scene, parentId: SceneNode['parentId']): readonly string[] => {
  const faults: string[] = [];
  const ids = [...childrenOf(scene, parentId)];
  const nodes = ids.map((id) => nodeOf(scene, id));
  for (const [index, node] of nodes.entries()) {
    const next = nodes[index + 1];
    if (node?.parentId !== parentId) faults.push(`${ids[index]} is listed below ${parentId}`);
    if (node !== undefined && next !== undefined && node.orderKey >= next.orderKey)
      faults.push(`${node.id} and ${next.id} are not in their order`);
  }
  if (siblingsOf(scene, parentId).size !== ids.length) faults.push(`children of ${parentId} are miscounted`);
  return faults;
};

const branchFaults = (scene: Scene, node: SceneNode): readonly string[] => {
  const marked = scene.children.get(node.parentId)?.branches.has(node.id) === true;
  return marked === scene.children.has(node.id) ? [] : [`${node.id} is wrongly marked as having children`];
};

/** Empty, or what is wrong: dangling parents, cycles, order, indexes that say something else. */
export const faultsIn = (scene: Scene): string[] => {
  const faults: string[] = [];
  let listed = 0;
  for (const node of nodesOf(scene))
    faults.push(...parentFaults(scene, node), ...linkFaults(scene, node), ...branchFaults(scene, node));
  for (const [parentId, children] of scene.children) {
    listed += children.size;
    faults.push(...orderFaults(scene, parentId));
  }
  if (listed !== sizeOf(scene)) faults.push(`${listed} nodes are listed, ${sizeOf(scene)} are there`);
  return faults;
};
