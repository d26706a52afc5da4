/** Edits that did not become part of the document: to be looked at, taken along, made again, or given up. */
import type { NodeId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { type Draft, newNodeId } from './edit/author';
import { type Desk, type Edited, perform, refusal } from './edit/desk';
import { together } from './edit/steps';
import type { RecoveredEdit } from './ports/store';

const nodeIds = /\b[0-9A-Za-z]{10}:[1-9][0-9]{0,15}\b/g;

/** Of what they create; nodes of clients that are others now get ids of this one's. */
const renamed = (desk: Desk, operations: readonly Operation[]): ReadonlyMap<string, string> => {
  const { author } = desk;
  const names = new Map<string, string>();
  const { clientId } = author;
  if (clientId === undefined) return names;
  for (const { type, targetIds, inverseOf } of operations)
    if (type === 'createNode' && inverseOf === undefined)
      for (const id of targetIds) if (!id.startsWith(`${clientId}:`)) names.set(id, newNodeId(author, clientId));
  return names;
};

const withNames = <Value>(value: Value, names: ReadonlyMap<string, string>): Value =>
  names.size === 0 ? value : (JSON.parse(JSON.stringify(value).replace(nodeIds, (id) => names.get(id) ?? id)) as Value);

const again = (desk: Desk, operation: Operation, names: ReadonlyMap<string, string>): Edited => {
  const { type, inverseOf } = operation;
  if (type === 'restoreVersion') return refusal('malformed');
  const payload = withNames(operation.payload, names);
  const targetIds = withNames([...operation.targetIds], names) as readonly NodeId[];
  const draft = { type, targetIds, payload, ...(inverseOf === undefined ? {} : { inverseOf }) } as Draft;
  return perform(desk, draft);
};

export const discard = ({ ledger }: Desk, ids: readonly string[]): void => {
  for (const id of ids) ledger.recovered.delete(id);
  ledger.keeper.keep({ discarded: ids });
};

export interface Remade {
  readonly remade: readonly string[];
  /** They stay recovered ones. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** As new edits of this person, in the order in which they were made. One step to undo. */
export const remake = (desk: Desk, edits: readonly RecoveredEdit[]): Remade => {
  const inOrder = [...edits].sort(
    (one, other) =>
      one.operation.createdAt.localeCompare(other.operation.createdAt) ||
      one.operation.clientSeq - other.operation.clientSeq,
  );
  const names = renamed(
    desk,
    inOrder.map(({ operation }) => operation),
  );
  const remade: string[] = [];
  const refused: { id: string; reason: string }[] = [];
  together(desk, () => {
    for (const { id, operation } of inOrder) {
      const edited = again(desk, operation, names);
      if (edited.ok) remade.push(id);
      else refused.push({ id, reason: edited.reason });
    }
  });
  discard(desk, remade);
  return { remade, refused };
};
