/** Performs undo and redo as new operations, computed in the current scene. */

import { type TextEditor, undoOrRedoText } from '../edit/text-editing';
import { type EditingContext, performEdit, transact } from '../edit/transactions';
import { beforeImagesIn } from './before-images';
import { inverseOperations } from './inverse-operations';
import { isTextEntry, type OperationEntry } from './undo-stack';

export interface UndoOptions {
  /** Skips values that others changed since; otherwise those are reverted as well. */
  readonly conditional?: boolean;
}

const undoOperation = (
  editing: EditingContext,
  { opId, committed, journals, previousParents }: OperationEntry,
  isConditional: boolean,
): void => {
  const beforeImages = beforeImagesIn(journals);
  const { scene } = editing.tracker.replica;
  for (const operation of committed.toReversed())
    for (const draft of inverseOperations({ scene, beforeImages, previousParents, isConditional }, operation))
      performEdit(editing, { ...draft, inverseOf: opId });
};

/** Returns whether there was an entry. Parts that can no longer be undone are skipped. */
export const undoOrRedo = (
  editing: EditingContext,
  textEditor: TextEditor,
  { way, conditional = false }: { readonly way: 'undo' | 'redo' } & UndoOptions,
): boolean => {
  if (!editing.isOpen() || !editing.mayEdit() || editing.transaction !== undefined) return false;
  return editing.undoStack.popInto(way, ({ entries }) =>
    transact(editing, () => {
      for (const one of entries.toReversed()) {
        if (isTextEntry(one)) undoOrRedoText(editing, textEditor, { entry: one, way });
        else undoOperation(editing, one, conditional);
      }
    }),
  );
};
