/** Text edits, and their undo per transaction. Each edited text has a local Y.Doc that tracks what was typed here. */
import * as Y from 'yjs';
import type { NodeId } from '../../../../domain/editor/ids';
import { getNode, type Scene } from '../../../../domain/editor/scene/scene';
import { encodeBase64 } from '../../../../domain/editor/text/base64';
import { plainText } from '../../../../domain/editor/text/text-content';
import { emptyText, type TextState, textBytes } from '../../../../domain/editor/text/text-state';
import { textRootName } from '../../../../domain/editor/text/update-validation';
import { isTextEntry, type OperationEntry, type TextEntry } from '../undo/undo-stack';
import type { ReplayedRange } from './replay-typing';
import {
  type EditingContext,
  type EditResult,
  newTransaction,
  performEdit,
  refusedEdit,
  type Transaction,
} from './transactions';

/** What one transaction typed into one text. */
export interface TextEdit {
  readonly stepId: string;
  readonly nodeId: NodeId;
  readonly editable: EditableText;
  readonly manager: Y.UndoManager;
}

export interface TextEditor {
  readonly texts: EditableTexts;
  /** The last edit. */
  last: TextEdit | undefined;
}

export const createTextEditor = (random: () => number): TextEditor => ({
  texts: { open: new Map(), replayed: new Map(), random },
  last: undefined,
});

const textEditOf = (
  textEditor: TextEditor,
  { stepId, nodeId, editable }: Pick<TextEdit, 'stepId' | 'nodeId' | 'editable'>,
): TextEdit => {
  const { last } = textEditor;
  if (last?.stepId === stepId && last.nodeId === nodeId && last.editable === editable) return last;
  // One undo manager per transaction, so that it undoes only that transaction.
  const manager = new Y.UndoManager(editable.text, {
    trackedOrigins: new Set([stepId]),
    captureTimeout: Number.MAX_SAFE_INTEGER,
  });
  textEditor.last = { stepId, nodeId, editable, manager };
  return textEditor.last;
};

/** Applies the edit to the scene too; if that fails, the local document is discarded. */
const commitTextEdit = (
  editing: EditingContext,
  textEditor: TextEditor,
  { typing, update, inverseOf }: { typing: TextEdit; update: string; inverseOf?: TextEntry['opId'] },
) => {
  const { nodeId, editable } = typing;
  const inverse = inverseOf === undefined ? {} : { inverseOf };
  const edited = performEdit(editing, { type: 'textOperation', targetIds: [nodeId], payload: { update }, ...inverse });
  if (edited.ok) editable.seen = getNode(editing.tracker.replica.scene, nodeId)?.text ?? emptyText;
  else textEditor.texts.open.delete(nodeId);
  const [opId] = edited.ok ? edited.opIds : [];
  if (opId !== undefined) editing.undoStack.push(editing.transaction?.id ?? typing.stepId, { opId, nodeId, typing });
  return edited;
};

/** If `change` throws, the local document has changes that are in no operation, so it is discarded. */
const changeText = ({ texts }: TextEditor, typing: TextEdit, change: (text: Y.Text) => void): string | undefined => {
  const { editable, nodeId, stepId } = typing;
  let isDone = false;
  try {
    const update = captureUpdate(editable, () => editable.document.transact(() => change(editable.text), stepId));
    isDone = true;
    return update;
  } finally {
    if (!isDone) texts.open.delete(nodeId);
  }
};

/** `change` receives the text in its current state. */
export const editText = (
  editing: EditingContext,
  textEditor: TextEditor,
  { id, change }: { id: NodeId; change: (text: Y.Text) => void },
): EditResult => {
  if (!editing.isOpen()) return refusedEdit('not-open');
  if (!editing.mayEdit()) return refusedEdit('not-allowed');
  const { scene } = editing.tracker.replica;
  const editable = editableTextOf(textEditor.texts, scene, id);
  if (editable === undefined) return refusedEdit(getNode(scene, id) === undefined ? 'target-deleted' : 'not-text');
  const transaction: Transaction = editing.transaction ?? newTransaction(editing, false);
  const typing = textEditOf(textEditor, { stepId: transaction.id, nodeId: id, editable });
  const update = changeText(textEditor, typing, change);
  if (update === undefined) return { ok: true, opIds: [] };
  const outer = editing.transaction;
  editing.transaction = transaction;
  try {
    return commitTextEdit(editing, textEditor, { typing, update });
  } finally {
    editing.transaction = outer;
  }
};

/** Undoes or redoes a transaction's typing. Undefined if the local document was replaced since. */
export const undoOrRedoText = (
  editing: EditingContext,
  textEditor: TextEditor,
  { entry, way }: { entry: TextEntry; way: 'undo' | 'redo' },
): EditResult | undefined => {
  const typing = entry.typing as TextEdit;
  const { editable, manager, nodeId } = typing;
  if (editableTextOf(textEditor.texts, editing.tracker.replica.scene, nodeId) !== editable) return undefined;
  const update = captureUpdate(editable, () => void (way === 'undo' ? manager.undo() : manager.redo()));
  return update === undefined
    ? undefined
    : commitTextEdit(editing, textEditor, { typing, update, inverseOf: entry.opId });
};

/** The edit can no longer be undone. */
export const disposeTextEdit = (textEditor: TextEditor, one: OperationEntry | TextEntry): void => {
  if (!isTextEntry(one)) return;
  const { manager } = one.typing as TextEdit;
  manager.destroy();
  if (textEditor.last?.manager === manager) textEditor.last = undefined;
};

/**
 * Local Y.Docs of edited texts. The scene has the authoritative text; a local document that differs from it is
 * discarded.
 */

export interface EditableText {
  readonly document: Y.Doc;
  readonly text: Y.Text;
  /** The scene's text state that this document has merged. */
  seen: TextState | undefined;
}

export interface EditableTexts {
  readonly open: Map<NodeId, EditableText>;
  /** Characters of unapplied edits that were replayed, by node. */
  readonly replayed: Map<NodeId, ReplayedRange[]>;
  readonly random: () => number;
}

const createEditableText = (random: () => number): EditableText => {
  const document = new Y.Doc();
  // Yjs requires a distinct client id per document of a text.
  document.clientID = Math.floor(random() * 0x1_0000_0000);
  return { document, text: document.getText(textRootName), seen: undefined };
};

/** Merges the scene's text; undefined if the node is no text. */
const editableTextOf = (texts: EditableTexts, scene: Scene, id: NodeId): EditableText | undefined => {
  const node = getNode(scene, id);
  if (node?.type !== 'text') {
    texts.open.delete(id);
    return undefined;
  }
  const known = texts.open.get(id);
  const text = node.text ?? emptyText;
  if (known?.seen === text) return known;
  const editable = known ?? createEditableText(texts.random);
  if (text !== emptyText) Y.applyUpdate(editable.document, textBytes(text));
  if (editable.text.toString() !== plainText(text)) {
    // It contains typing that was rejected, or the node was replaced.
    texts.open.delete(id);
    return known === undefined ? undefined : editableTextOf(texts, scene, id);
  }
  editable.seen = text;
  texts.open.set(id, editable);
  return editable;
};

/** The update that `change` made; undefined if it changed nothing. */
const captureUpdate = ({ document }: EditableText, change: () => void): string | undefined => {
  const updates: Uint8Array[] = [];
  const note = (update: Uint8Array): void => void updates.push(update);
  document.on('update', note);
  try {
    change();
  } finally {
    document.off('update', note);
  }
  return updates.length === 0 ? undefined : encodeBase64(Y.mergeUpdates(updates));
};
