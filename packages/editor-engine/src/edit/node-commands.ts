/** Edits of nodes: create, set, transform, move, remove. Each is applied locally at once, or refused with a reason. */
import type { NodeId, OperationId, OrderKey } from '../../../../domain/editor/ids';
import type { Move, NewNode, NodeType } from '../../../../domain/editor/operation';
import { keysBetween } from '../../../../domain/editor/scene/fractional-index';
import { decodeProperties } from '../../../../domain/editor/scene/nodes/properties';
import { getNode, type Scene, siblingsOf } from '../../../../domain/editor/scene/scene';
import { siblingsBefore, siblingsFrom } from '../../../../domain/editor/scene/sibling-index';
import { textFromPlain } from '../../../../domain/editor/text/text-content';
import { textBase64 } from '../../../../domain/editor/text/text-state';
import { newNodeId } from './id-allocator';
import { splitDeletions, splitNodes } from './split-edits';
import { type EditingContext, type EditResult, performEdit, refusedEdit, transact } from './transactions';

export interface NewNodeInput extends Partial<SiblingTarget> {
  /** From `newId`; allocated if omitted. Needed if later nodes of the same call have this parent. */
  readonly id?: NodeId;
  readonly type: NodeType;
  /** Dotted names, or `style` with nested values. */
  readonly properties?: { readonly [name: string]: unknown };
  /** Text of a text node. */
  readonly text?: string;
  readonly orderKey?: string;
}

const firstRefused = (edits: readonly EditResult[]): EditResult | undefined => edits.find(({ ok }) => !ok);

/** Performs the edits as one transaction; returns the first refusal. */
const performAll = (editing: EditingContext, works: readonly (() => EditResult)[]): EditResult => {
  const edits: EditResult[] = [];
  transact(editing, () => {
    for (const work of works) edits.push(work());
  });
  const opIds: OperationId[] = [];
  for (const edited of edits) if (edited.ok) opIds.push(...edited.opIds);
  return firstRefused(edits) ?? { ok: true, opIds };
};

/** New siblings of one call keep their order. */
const allocateKeys = (editing: EditingContext, requests: readonly NewNodeInput[]): readonly OrderKey[] => {
  const groups = new Map<string, number[]>();
  for (const [index, { parentId = null, before, after, orderKey }] of requests.entries()) {
    if (orderKey !== undefined) continue;
    const name = `${parentId} ${before} ${after}`;
    groups.set(name, [...(groups.get(name) ?? []), index]);
  }
  const keys = requests.map(({ orderKey = '' }) => orderKey as OrderKey);
  for (const indexes of groups.values()) {
    const { parentId = null, before, after } = requests[indexes[0] ?? 0] ?? {};
    const among = { parentId, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    const allocated = keysForTarget(editing.tracker.replica.scene, among, indexes.length);
    for (const [offset, index] of indexes.entries())
      keys[index] = allocated[offset] ?? keys[index] ?? ('V' as OrderKey);
  }
  return keys;
};

export interface CreateResult {
  readonly edited: EditResult;
  readonly ids: readonly NodeId[];
}

/** Parents come before their children. One undo step, however many nodes. */
export const createNodes = (editing: EditingContext, requests: readonly NewNodeInput[]): CreateResult => {
  const { clientId } = editing.ids;
  if (clientId === undefined) return { edited: refusedEdit('not-open'), ids: [] };
  const keys = allocateKeys(editing, requests);
  const nodes = requests.map(
    ({ id, type, parentId = null, properties = {}, text }, index): NewNode => ({
      id: id ?? newNodeId(editing.ids, clientId),
      type,
      parentId,
      orderKey: keys[index] ?? ('V' as OrderKey),
      properties,
      ...(text === undefined ? {} : { text: textBase64(textFromPlain(text)) }),
    }),
  );
  const works = splitNodes(nodes).map((portion) => (): EditResult => {
    const targetIds = portion.map(({ id }) => id);
    return performEdit(editing, { type: 'createNode', targetIds, payload: { nodes: [...portion] } });
  });
  return { edited: performAll(editing, works), ids: nodes.map(({ id }) => id) };
};

export interface PropertyChanges {
  readonly set?: { readonly [name: string]: unknown };
  readonly unset?: readonly string[];
}

export const setProperties = (
  editing: EditingContext,
  ids: readonly NodeId[],
  { set = {}, unset = [] }: PropertyChanges,
): EditResult => {
  const flat = decodeProperties(set);
  if (typeof flat === 'string') return refusedEdit(flat);
  const written = {
    ...(Object.keys(flat).length === 0 ? {} : { set: flat }),
    ...(unset.length === 0 ? {} : { unset: [...unset] }),
  };
  return performEdit(editing, { type: 'setProperties', targetIds: ids, payload: written });
};

export const transformNodes = (
  editing: EditingContext,
  transforms: { readonly [id: NodeId]: readonly number[] },
  baseVersion?: number,
): EditResult => {
  const targetIds = Object.keys(transforms) as NodeId[];
  const base = baseVersion === undefined ? {} : { baseVersion };
  return performEdit(editing, { type: 'transformNodes', targetIds, payload: { transforms }, ...base });
};

export interface MoveInput extends SiblingTarget {
  readonly id: NodeId;
  /** In the new parent's space; if omitted, the node stays where it is on the canvas. */
  readonly transform?: readonly number[];
}

/** Nodes with the same target keep their order. All or none of them move. */
export const moveNodes = (editing: EditingContext, requests: readonly MoveInput[]): EditResult => {
  const keys = allocateKeys(
    editing,
    requests.map(({ parentId, before, after }) => ({
      type: 'group',
      parentId,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })),
  );
  const moves = requests.map(
    ({ id, parentId, transform: matrix }, index): Move => ({
      id,
      parentId,
      orderKey: keys[index] ?? ('V' as OrderKey),
      ...(matrix === undefined ? {} : { transform: matrix }),
    }),
  );
  return performEdit(editing, { type: 'moveChild', targetIds: moves.map(({ id }) => id), payload: { moves } });
};

/** Removes the nodes with their subtrees. */
export const removeNodes = (editing: EditingContext, ids: readonly NodeId[]): EditResult => {
  const { scene } = editing.tracker.replica;
  if (!ids.some((id) => getNode(scene, id) !== undefined)) return refusedEdit('target-deleted');
  const works = splitDeletions(scene, ids).map(
    (targetIds) => (): EditResult => performEdit(editing, { type: 'deleteNode', targetIds, payload: {} }),
  );
  return performAll(editing, works);
};

/** Among the children of a parent; without `before` and `after`, at the end. */
export interface SiblingTarget {
  readonly parentId: NodeId | null;
  readonly before?: NodeId;
  readonly after?: NodeId;
}

/** Sorts after every key. */
const afterAllKeys = '~';

const siblingOf = (scene: Scene, id: NodeId | undefined, parentId: NodeId | null) => {
  const node = id === undefined ? undefined : getNode(scene, id);
  return node?.parentId === parentId ? node : undefined;
};

const neighbourKeys = (
  scene: Scene,
  { parentId, before, after }: SiblingTarget,
): readonly [string | undefined, string | undefined] => {
  const siblings = siblingsOf(scene, parentId);
  const next = siblingOf(scene, before, parentId);
  if (next !== undefined) {
    for (const { orderKey } of siblingsBefore(siblings, next)) return [orderKey, next.orderKey];
    return [undefined, next.orderKey];
  }
  const previous = siblingOf(scene, after, parentId);
  if (previous !== undefined) {
    for (const { id, orderKey } of siblingsFrom(siblings, previous))
      if (id !== previous.id) return [previous.orderKey, orderKey];
    return [previous.orderKey, undefined];
  }
  for (const { orderKey } of siblingsBefore(siblings, { orderKey: afterAllKeys, id: '' as NodeId }))
    return [orderKey, undefined];
  return [undefined, undefined];
};

/** Keys in order. If there is no key between the neighbours, the document's owner respaces the siblings. */
const keysForTarget = (scene: Scene, among: SiblingTarget, count: number): readonly OrderKey[] => {
  const [low, high] = neighbourKeys(scene, among);
  const keys = keysBetween(low, high, count) ?? Array.from({ length: count }, () => low ?? high ?? 'V');
  return keys as readonly OrderKey[];
};
