/** What can be done with nodes. Each is done at once here, or refused with the reason. */
import type { NodeId, OperationId, OrderKey } from '../../../../domain/editor/ids';
import type { Move, NewNode, NodeType } from '../../../../domain/editor/operation';
import { readSet } from '../../../../domain/editor/scene/properties';
import { nodeOf } from '../../../../domain/editor/scene/scene';
import { textOf } from '../../../../domain/editor/text/plain';
import { textBase64 } from '../../../../domain/editor/text/state';
import { newNodeId } from './author';
import { type Desk, type Edited, perform, refusal } from './desk';
import { type Among, keysAmong } from './places';
import { deletions, inPortions } from './split';
import { together } from './steps';

export interface NewNodeAsked extends Partial<Among> {
  /** Of `newId`; left out, one is given. Needed where others of the same call lie in it, which come after it. */
  readonly id?: NodeId;
  readonly type: NodeType;
  /** Names with dots, or `style` with what is in it. */
  readonly properties?: { readonly [name: string]: unknown };
  /** Of a text node. */
  readonly text?: string;
  readonly orderKey?: string;
}

const refusedWith = (edits: readonly Edited[]): Edited | undefined => edits.find(({ ok }) => !ok);

/** As one; all that was refused is told by the first of it. */
const asOne = (desk: Desk, works: readonly (() => Edited)[]): Edited => {
  const edits: Edited[] = [];
  together(desk, () => {
    for (const work of works) edits.push(work());
  });
  const opIds: OperationId[] = [];
  for (const edited of edits) if (edited.ok) opIds.push(...edited.opIds);
  return refusedWith(edits) ?? { ok: true, opIds };
};

/** Siblings that come together stand in the order in which they are told. */
const withKeys = (desk: Desk, asked: readonly NewNodeAsked[]): readonly OrderKey[] => {
  const groups = new Map<string, number[]>();
  for (const [index, { parentId = null, before, after, orderKey }] of asked.entries()) {
    if (orderKey !== undefined) continue;
    const name = `${parentId} ${before} ${after}`;
    groups.set(name, [...(groups.get(name) ?? []), index]);
  }
  const keys = asked.map(({ orderKey = '' }) => orderKey as OrderKey);
  for (const indexes of groups.values()) {
    const { parentId = null, before, after } = asked[indexes[0] ?? 0] ?? {};
    const among = { parentId, ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) };
    const given = keysAmong(desk.ledger.replica.scene, among, indexes.length);
    for (const [place, index] of indexes.entries()) keys[index] = given[place] ?? keys[index] ?? ('V' as OrderKey);
  }
  return keys;
};

export interface Created {
  readonly edited: Edited;
  readonly ids: readonly NodeId[];
}

/** Parents before what lies in them. However many there are, it is one step to undo. */
export const create = (desk: Desk, asked: readonly NewNodeAsked[]): Created => {
  const { clientId } = desk.author;
  if (clientId === undefined) return { edited: refusal('not-open'), ids: [] };
  const keys = withKeys(desk, asked);
  const nodes = asked.map(
    ({ id, type, parentId = null, properties = {}, text }, index): NewNode => ({
      ...{ id: id ?? newNodeId(desk.author, clientId), type, parentId, orderKey: keys[index] ?? ('V' as OrderKey) },
      properties,
      ...(text === undefined ? {} : { text: textBase64(textOf(text)) }),
    }),
  );
  const works = inPortions(nodes).map((portion) => (): Edited => {
    const targetIds = portion.map(({ id }) => id);
    return perform(desk, { type: 'createNode', targetIds, payload: { nodes: [...portion] } });
  });
  return { edited: asOne(desk, works), ids: nodes.map(({ id }) => id) };
};

export interface WriteAsked {
  readonly set?: { readonly [name: string]: unknown };
  readonly unset?: readonly string[];
}

export const set = (desk: Desk, ids: readonly NodeId[], { set: asked = {}, unset = [] }: WriteAsked): Edited => {
  const flat = readSet(asked);
  if (typeof flat === 'string') return refusal(flat);
  const written = {
    ...(Object.keys(flat).length === 0 ? {} : { set: flat }),
    ...(unset.length === 0 ? {} : { unset: [...unset] }),
  };
  return perform(desk, { type: 'setProperties', targetIds: ids, payload: written });
};

export const transform = (
  desk: Desk,
  transforms: { readonly [id: NodeId]: readonly number[] },
  baseVersion?: number,
): Edited => {
  const targetIds = Object.keys(transforms) as NodeId[];
  const base = baseVersion === undefined ? {} : { baseVersion };
  return perform(desk, { type: 'transformNodes', targetIds, payload: { transforms }, ...base });
};

export interface MoveAsked extends Among {
  readonly id: NodeId;
  /** In the new parent's space; left out, it stays where it is seen. */
  readonly transform?: readonly number[];
}

/** Several that go to the same place stand there in the order in which they are told. All or none of them move. */
export const move = (desk: Desk, asked: readonly MoveAsked[]): Edited => {
  const keys = withKeys(
    desk,
    asked.map(({ parentId, before, after }) => ({
      type: 'group',
      parentId,
      ...(before === undefined ? {} : { before }),
      ...(after === undefined ? {} : { after }),
    })),
  );
  const moves = asked.map(
    ({ id, parentId, transform: matrix }, index): Move => ({
      ...{ id, parentId, orderKey: keys[index] ?? ('V' as OrderKey) },
      ...(matrix === undefined ? {} : { transform: matrix }),
    }),
  );
  return perform(desk, { type: 'moveChild', targetIds: moves.map(({ id }) => id), payload: { moves } });
};

/** With everything below. */
export const remove = (desk: Desk, ids: readonly NodeId[]): Edited => {
  const { scene } = desk.ledger.replica;
  if (!ids.some((id) => nodeOf(scene, id) !== undefined)) return refusal('target-deleted');
  const works = deletions(scene, ids).map(
    (targetIds) => (): Edited => perform(desk, { type: 'deleteNode', targetIds, payload: {} }),
  );
  return asOne(desk, works);
};
