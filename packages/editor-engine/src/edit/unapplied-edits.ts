/** Reapplies or discards edits that did not get into the document. */
import type { NodeId } from '../../../../domain/editor/ids';
import type { Operation, Payload } from '../../../../domain/editor/operation';
import type { RecoveredEdit } from '../ports/document-store';
import { newNodeId, type OperationDraft } from './id-allocator';
import { replayTyping } from './replay-typing';
import { type TextEditor, editText as typeInto } from './text-editing';
import { type EditingContext, type EditResult, performEdit, refusedEdit, transact } from './transactions';

const nodeIds = /\b[0-9A-Za-z]{10}:[1-9][0-9]{0,15}\b/g;

/** New ids for nodes that the edits create, if they belong to another client. */
const newIdsFor = (editing: EditingContext, operations: readonly Operation[]): ReadonlyMap<string, string> => {
  const { ids } = editing;
  const names = new Map<string, string>();
  const { clientId } = ids;
  if (clientId === undefined) return names;
  for (const { type, targetIds, inverseOf } of operations)
    if (type === 'createNode' && inverseOf === undefined)
      for (const id of targetIds) if (!id.startsWith(`${clientId}:`)) names.set(id, newNodeId(ids, clientId));
  return names;
};

const replaceIds = <Value>(value: Value, names: ReadonlyMap<string, string>): Value =>
  names.size === 0 ? value : (JSON.parse(JSON.stringify(value).replace(nodeIds, (id) => names.get(id) ?? id)) as Value);

interface ReapplyContext {
  readonly editing: EditingContext;
  readonly textEditor: TextEditor;
  readonly names: ReadonlyMap<string, string>;
}

/** The typing builds on characters that are not in the document, so it is replayed instead of merged. */
const reapplyTyping = (
  { editing, textEditor }: ReapplyContext,
  id: NodeId,
  { update }: Payload<'textOperation'>,
): EditResult => {
  const { replayed } = textEditor.texts;
  const known = replayed.get(id) ?? [];
  replayed.set(id, known);
  return typeInto(editing, textEditor, { id, change: (text) => replayTyping(text, update, known) });
};

const reapply = (context: ReapplyContext, operation: Operation): EditResult => {
  const { editing, names } = context;
  const { type, inverseOf } = operation;
  if (type === 'restoreVersion') return refusedEdit('malformed');
  const payload = replaceIds(operation.payload, names);
  const targetIds = replaceIds([...operation.targetIds], names) as readonly NodeId[];
  const draft = { type, targetIds, payload, ...(inverseOf === undefined ? {} : { inverseOf }) } as OperationDraft;
  const edited = performEdit(editing, draft);
  const [id] = targetIds;
  if (draft.type !== 'textOperation' || id === undefined || edited.ok || edited.reason !== 'text-malformed')
    return edited;
  return reapplyTyping(context, id, draft.payload);
};

export const discardEdits = ({ tracker }: EditingContext, ids: readonly string[]): void => {
  for (const id of ids) tracker.unapplied.delete(id);
  tracker.writeQueue.enqueue({ discarded: ids });
};

export interface ReapplyResult {
  readonly reapplied: readonly string[];
  /** These remain unapplied. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Reapplies edits in their original order, as new edits of this user and one undo step. */
export const reapplyEdits = (
  editing: EditingContext,
  textEditor: TextEditor,
  edits: readonly RecoveredEdit[],
): ReapplyResult => {
  const inOrder = [...edits].sort(
    (one, other) =>
      one.operation.createdAt.localeCompare(other.operation.createdAt) ||
      one.operation.clientSeq - other.operation.clientSeq,
  );
  const names = newIdsFor(
    editing,
    inOrder.map(({ operation }) => operation),
  );
  const reapplied: string[] = [];
  const refused: { id: string; reason: string }[] = [];
  transact(editing, () => {
    for (const { id, operation } of inOrder) {
      const edited = reapply({ editing, textEditor, names }, operation);
      if (edited.ok) reapplied.push(id);
      else refused.push({ id, reason: edited.reason });
    }
  });
  discardEdits(editing, reapplied);
  return { reapplied, refused };
};
