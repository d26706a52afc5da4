/** Edits that did not become part of the document: to be looked at, taken along, made again, or given up. */
import type { NodeId } from '../../../domain/editor/ids';
import type { Operation, Payload } from '../../../domain/editor/operation';
import { type Draft, newNodeId } from './edit/author';
import { type Desk, type Edited, perform, refusal } from './edit/desk';
import { together } from './edit/steps';
import type { RecoveredEdit } from './ports/store';
import { retype } from './text/retyping';
import { type Typist, type as typeInto } from './text/typing';

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

interface Remaking {
  readonly desk: Desk;
  readonly typist: Typist;
  readonly names: ReadonlyMap<string, string>;
}

/** Built on typing that is not in the document, it cannot be merged as it is. */
const typedAgain = ({ desk, typist }: Remaking, id: NodeId, { update }: Payload<'textOperation'>): Edited => {
  const { retyped } = typist.mirrors;
  const known = retyped.get(id) ?? [];
  retyped.set(id, known);
  return typeInto(desk, typist, { id, change: (text) => retype(text, update, known) });
};

const again = (remaking: Remaking, operation: Operation): Edited => {
  const { desk, names } = remaking;
  const { type, inverseOf } = operation;
  if (type === 'restoreVersion') return refusal('malformed');
  const payload = withNames(operation.payload, names);
  const targetIds = withNames([...operation.targetIds], names) as readonly NodeId[];
  const draft = { type, targetIds, payload, ...(inverseOf === undefined ? {} : { inverseOf }) } as Draft;
  const edited = perform(desk, draft);
  const [id] = targetIds;
  if (draft.type !== 'textOperation' || id === undefined || edited.ok || edited.reason !== 'text-malformed')
    return edited;
  return typedAgain(remaking, id, draft.payload);
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
export const remake = (desk: Desk, typist: Typist, edits: readonly RecoveredEdit[]): Remade => {
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
      const edited = again({ desk, typist, names }, operation);
      if (edited.ok) remade.push(id);
      else refused.push({ id, reason: edited.reason });
    }
  });
  discard(desk, remade);
  return { remade, refused };
};
