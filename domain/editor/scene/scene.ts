/**
 * A document's nodes, with indexes of children and instances. The scene is mutable, because copying a million nodes
 * per operation is too slow; nodes are immutable, so before-images are enough to roll a change back.
 */
import type { ClientId, NodeId } from '../ids';
import type { TextState } from '../text/text-state';
import { nodeBytes } from './nodes/node-size';
import { deleteEntry, emptyShardedMap, getEntry, iterateValues, type ShardedMap, setEntry } from './sharded-map';
import { emptySiblingIndex, insertSibling, removeSibling, type SiblingIndex, siblingIds } from './sibling-index';

export interface SceneNode {
  readonly id: NodeId;
  /** A `NodeType`, or one of a newer schema version. */
  readonly type: string;
  /** Null at the top. */
  readonly parentId: NodeId | null;
  readonly orderKey: string;
  /** By dotted name: `transform`, `localBounds`, `style.fill`. Values are immutable JSON. */
  readonly properties: { readonly [name: string]: unknown };
  /** Set once a text node has text. */
  readonly text?: TextState;
  /** Version of the last change. */
  readonly revision: number;
  /** The latest changes of parent, oldest first. */
  readonly moves?: readonly ReparentRecord[];
}

export interface ReparentRecord {
  readonly version: number;
  /** The client that moved it has seen the move, whatever version it names. */
  readonly by: ClientId;
  /** World transform of the previous parent. */
  readonly fromSpace: readonly number[];
}

/** Changed only by `setNode`. */
export interface Scene {
  readonly nodes: ShardedMap<SceneNode>;
  readonly children: Map<NodeId | null, Children>;
  /** By the id in `instanceOf`, whether or not that node exists. */
  readonly instances: Map<string, Set<NodeId>>;
  /** Approximate bytes of all nodes (`node-size`). */
  bytes: number;
}

export interface Children extends SiblingIndex {
  /** Children that have children. */
  readonly branches: Set<NodeId>;
}

export const emptyScene = (): Scene => ({
  nodes: emptyShardedMap(),
  children: new Map(),
  instances: new Map(),
  bytes: 0,
});

export const getNode = (scene: Scene, id: NodeId): SceneNode | undefined => getEntry(scene.nodes, id);

export const countNodes = (scene: Scene): number => scene.nodes.size;

/** Unordered. */
export const iterateNodes = (scene: Scene): Generator<SceneNode> => iterateValues(scene.nodes);

const noChildren = emptySiblingIndex();

/** In order; the scene must not change during the iteration. */
export const childIds = (scene: Scene, parentId: NodeId | null): Generator<NodeId> =>
  siblingIds(scene.children.get(parentId) ?? noChildren);

export const siblingsOf = (scene: Scene, parentId: NodeId | null): SiblingIndex =>
  scene.children.get(parentId) ?? noChildren;

/** Nodes that name this one as their main component. */
export const instancesOf = (scene: Scene, main: string): Iterable<NodeId> => scene.instances.get(main) ?? [];

export const mainComponentId = ({ properties }: SceneNode): string | undefined => {
  const main = properties.instanceOf;
  return typeof main === 'string' ? main : undefined;
};

const markBranch = (scene: Scene, { id, parentId }: SceneNode): void => {
  if (scene.children.has(id)) scene.children.get(parentId)?.branches.add(id);
};

const removeFromParent = (scene: Scene, node: SceneNode): void => {
  const { id, parentId } = node;
  const siblings = scene.children.get(parentId);
  if (siblings === undefined) return;
  removeSibling(siblings, node);
  siblings.branches.delete(id);
  if (siblings.size > 0) return;
  scene.children.delete(parentId);
  const parent = parentId === null ? undefined : getNode(scene, parentId);
  if (parent !== undefined) scene.children.get(parent.parentId)?.branches.delete(parent.id);
};

const addToParent = (scene: Scene, node: SceneNode): void => {
  const { id, orderKey, parentId } = node;
  const known = scene.children.get(parentId);
  const siblings = known ?? { ...emptySiblingIndex(), branches: new Set<NodeId>() };
  if (known === undefined) scene.children.set(parentId, siblings);
  insertSibling(siblings, { orderKey, id });
  markBranch(scene, node);
  const parent = known !== undefined || parentId === null ? undefined : getNode(scene, parentId);
  if (parent !== undefined) markBranch(scene, parent);
};

const removeInstance = (scene: Scene, main: string, id: NodeId): void => {
  const instances = scene.instances.get(main);
  instances?.delete(id);
  if (instances?.size === 0) scene.instances.delete(main);
};

const addInstance = (scene: Scene, main: string, id: NodeId): void => {
  const instances = scene.instances.get(main) ?? new Set<NodeId>();
  scene.instances.set(main, instances.add(id));
};

const updateInstances = (scene: Scene, before: SceneNode | undefined, after: SceneNode | undefined): void => {
  const left = before === undefined ? undefined : mainComponentId(before);
  const joined = after === undefined ? undefined : mainComponentId(after);
  if (left === joined) return;
  if (left !== undefined && before !== undefined) removeInstance(scene, left, before.id);
  if (joined !== undefined && after !== undefined) addInstance(scene, joined, after.id);
};

/** Sets or deletes a node and updates the indexes; returns the previous node. */
export const setNode = (scene: Scene, id: NodeId, after: SceneNode | undefined): SceneNode | undefined => {
  const before = getNode(scene, id);
  const stays = before?.parentId === after?.parentId && before?.orderKey === after?.orderKey;
  if (before !== undefined && !(stays && after !== undefined)) removeFromParent(scene, before);
  if (after === undefined) deleteEntry(scene.nodes, id);
  else setEntry(scene.nodes, id, after);
  if (after !== undefined && !(stays && before !== undefined)) addToParent(scene, after);
  updateInstances(scene, before, after);
  if (before?.properties !== after?.properties || before?.text !== after?.text)
    scene.bytes += (after === undefined ? 0 : nodeBytes(after)) - (before === undefined ? 0 : nodeBytes(before));
  return before;
};
