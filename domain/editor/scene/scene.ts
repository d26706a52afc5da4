/**
 * A document's nodes, indexed for what operations ask of them. It changes in place: a million nodes are not copied for one. Nodes
 * themselves never change, so what a change replaced is enough to take it back.
 */
import type { ClientId, NodeId } from '../ids';
import type { TextState } from '../text/text-state';
import { nodeBytes } from './node-size';
import { deleteEntry, emptyShardedMap, getEntry, iterateValues, type ShardedMap, setEntry } from './sharded-map';
import { emptySiblingIndex, insertSibling, removeSibling, type SiblingIndex, siblingIds } from './sibling-index';

export interface SceneNode {
  readonly id: NodeId;
  /** A `NodeType`, or what a newer schema brought. */
  readonly type: string;
  /** Null: at the top. */
  readonly parentId: NodeId | null;
  readonly orderKey: string;
  /** By name with its path: `transform`, `localBounds`, `style.fill`. Values are JSON and are not changed either. */
  readonly properties: { readonly [name: string]: unknown };
  /** Of a text node, once something was written in it. */
  readonly text?: TextState;
  /** The version that changed it last. */
  readonly revision: number;
  /** Its latest moves to another parent, the last one last, a few at most. */
  readonly moves?: readonly ReparentRecord[];
}

export interface ReparentRecord {
  readonly version: number;
  /** Knows of its own moves, whatever version it names. */
  readonly by: ClientId;
  /** From the space of the parent before into the document's. */
  readonly fromSpace: readonly number[];
}

/** Only `write` changes it. */
export interface Scene {
  readonly nodes: ShardedMap<SceneNode>;
  readonly children: Map<NodeId | null, Children>;
  /** By what `instanceOf` names, be it there or not. */
  readonly instances: Map<string, Set<NodeId>>;
  /** What all nodes hold together, in about so many bytes (`node-bytes`). */
  bytes: number;
}

export interface Children extends SiblingIndex {
  /** Those with children of their own. */
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

/** In no order. */
export const iterateNodes = (scene: Scene): Generator<SceneNode> => iterateValues(scene.nodes);

const noChildren = emptySiblingIndex();

/** In their order; the scene must not change meanwhile. */
export const childIds = (scene: Scene, parentId: NodeId | null): Generator<NodeId> =>
  siblingIds(scene.children.get(parentId) ?? noChildren);

export const siblingsOf = (scene: Scene, parentId: NodeId | null): SiblingIndex =>
  scene.children.get(parentId) ?? noChildren;

/** Nodes that name it as their main component. */
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

/** Puts a node in place of the one with that id, or takes it away; answers what was there. The indexes follow. */
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
