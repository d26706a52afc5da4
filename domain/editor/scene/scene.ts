/**
 * A document's nodes, indexed for what operations ask of them. It changes in place: a million nodes are not copied for one. Nodes
 * themselves never change, so what a change replaced is enough to take it back.
 */
import type { ClientId, NodeId } from '../ids';
import type { TextState } from '../text/state';
import { nodeBytes } from './node-bytes';
import { dropFrom, emptyShards, getOf, putInto, type Shards, valuesOf } from './shards';
import { dropSibling, noSiblings, putSibling, type Siblings, siblingIds } from './siblings';

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
  readonly moves?: readonly MovedAt[];
}

export interface MovedAt {
  readonly version: number;
  /** Knows of its own moves, whatever version it names. */
  readonly by: ClientId;
  /** From the space of the parent before into the document's. */
  readonly fromSpace: readonly number[];
}

/** Only `write` changes it. */
export interface Scene {
  readonly nodes: Shards<SceneNode>;
  readonly children: Map<NodeId | null, Children>;
  /** By what `instanceOf` names, be it there or not. */
  readonly instances: Map<string, Set<NodeId>>;
  /** What all nodes hold together, in about so many bytes (`node-bytes`). */
  bytes: number;
}

export interface Children extends Siblings {
  /** Those with children of their own. */
  readonly branches: Set<NodeId>;
}

export const emptyScene = (): Scene => ({
  nodes: emptyShards(),
  children: new Map(),
  instances: new Map(),
  bytes: 0,
});

export const nodeOf = (scene: Scene, id: NodeId): SceneNode | undefined => getOf(scene.nodes, id);

export const sizeOf = (scene: Scene): number => scene.nodes.size;

/** In no order. */
export const nodesOf = (scene: Scene): Generator<SceneNode> => valuesOf(scene.nodes);

const none = noSiblings();

/** In their order; the scene must not change meanwhile. */
export const childrenOf = (scene: Scene, parentId: NodeId | null): Generator<NodeId> =>
  siblingIds(scene.children.get(parentId) ?? none);

export const siblingsOf = (scene: Scene, parentId: NodeId | null): Siblings => scene.children.get(parentId) ?? none;

/** Nodes that name it as their main component. */
export const instancesOf = (scene: Scene, main: string): Iterable<NodeId> => scene.instances.get(main) ?? [];

export const mainOf = ({ properties }: SceneNode): string | undefined => {
  const main = properties.instanceOf;
  return typeof main === 'string' ? main : undefined;
};

const markBranch = (scene: Scene, { id, parentId }: SceneNode): void => {
  if (scene.children.has(id)) scene.children.get(parentId)?.branches.add(id);
};

const leaveParent = (scene: Scene, node: SceneNode): void => {
  const { id, parentId } = node;
  const siblings = scene.children.get(parentId);
  if (siblings === undefined) return;
  dropSibling(siblings, node);
  siblings.branches.delete(id);
  if (siblings.size > 0) return;
  scene.children.delete(parentId);
  const parent = parentId === null ? undefined : nodeOf(scene, parentId);
  if (parent !== undefined) scene.children.get(parent.parentId)?.branches.delete(parent.id);
};

const joinParent = (scene: Scene, node: SceneNode): void => {
  const { id, orderKey, parentId } = node;
  const known = scene.children.get(parentId);
  const siblings = known ?? { ...noSiblings(), branches: new Set<NodeId>() };
  if (known === undefined) scene.children.set(parentId, siblings);
  putSibling(siblings, { orderKey, id });
  markBranch(scene, node);
  const parent = known !== undefined || parentId === null ? undefined : nodeOf(scene, parentId);
  if (parent !== undefined) markBranch(scene, parent);
};

const leaveMain = (scene: Scene, main: string, id: NodeId): void => {
  const instances = scene.instances.get(main);
  instances?.delete(id);
  if (instances?.size === 0) scene.instances.delete(main);
};

const joinMain = (scene: Scene, main: string, id: NodeId): void => {
  const instances = scene.instances.get(main) ?? new Set<NodeId>();
  scene.instances.set(main, instances.add(id));
};

const keepMains = (scene: Scene, before: SceneNode | undefined, after: SceneNode | undefined): void => {
  const left = before === undefined ? undefined : mainOf(before);
  const joined = after === undefined ? undefined : mainOf(after);
  if (left === joined) return;
  if (left !== undefined && before !== undefined) leaveMain(scene, left, before.id);
  if (joined !== undefined && after !== undefined) joinMain(scene, joined, after.id);
};

/** Puts a node in place of the one with that id, or takes it away; answers what was there. The indexes follow. */
export const write = (scene: Scene, id: NodeId, after: SceneNode | undefined): SceneNode | undefined => {
  const before = nodeOf(scene, id);
  const stays = before?.parentId === after?.parentId && before?.orderKey === after?.orderKey;
  if (before !== undefined && !(stays && after !== undefined)) leaveParent(scene, before);
  if (after === undefined) dropFrom(scene.nodes, id);
  else putInto(scene.nodes, id, after);
  if (after !== undefined && !(stays && before !== undefined)) joinParent(scene, after);
  keepMains(scene, before, after);
  if (before?.properties !== after?.properties || before?.text !== after?.text)
    scene.bytes += (after === undefined ? 0 : nodeBytes(after)) - (before === undefined ? 0 : nodeBytes(before));
  return before;
};
