/** Bounded undo and redo stacks of this user's own edits. */
import type { NodeId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { RollbackJournal } from '../../../../domain/editor/reducer/rollback-journal';
import type { SceneNode } from '../../../../domain/editor/scene/scene';
import type { PreviousParents } from './before-images';

/** An operation with its before-images. */
export interface OperationEntry {
  readonly opId: OperationId;
  readonly committed: readonly Operation[];
  readonly journals: readonly RollbackJournal[];
  readonly previousParents: PreviousParents;
}

/** A text edit, undone by its own Yjs undo manager. */
export interface TextEntry {
  readonly opId: OperationId;
  readonly nodeId: NodeId;
  readonly typing: unknown;
}

export interface TransactionEntry {
  /** Id of the transaction. */
  readonly id: string;
  readonly entries: (OperationEntry | TextEntry)[];
  bytes: number;
}

export type Direction = 'edit' | 'undo' | 'redo';

export interface UndoStack {
  readonly push: (stepId: string, one: OperationEntry | TextEntry) => void;
  /** Starts an atomic transaction: until it is committed, the redo stack stays. */
  readonly beginAtomic: () => void;
  readonly commitAtomic: () => void;
  /** Removes a transaction that was rolled back. */
  readonly removeTransaction: (stepId: string) => void;
  /** Removes operations that did not get into the document. */
  readonly removeOperations: (opIds: ReadonlySet<string>) => void;
  /** Pops the last entry; what `work` performs goes to the opposite stack. */
  readonly popInto: (direction: 'undo' | 'redo', work: (entry: TransactionEntry) => void) => boolean;
  readonly count: (direction: 'undo' | 'redo') => number;
}

export const isTextEntry = (one: OperationEntry | TextEntry): one is TextEntry => 'typing' in one;

const maxStack = { entries: 200, bytes: 32_000_000 };

const weightOf = (node: SceneNode | undefined): number => {
  if (node === undefined) return 0;
  let bytes = node.text?.base.length ?? 0;
  for (const value of Object.values(node.properties)) bytes += typeof value === 'string' ? value.length : 32;
  return bytes;
};

/** Approximate memory. */
const bytesOf = (one: OperationEntry | TextEntry): number => {
  if (isTextEntry(one)) return 256;
  let bytes = 256;
  for (const journal of one.journals) for (const { before } of journal) bytes += 200 + weightOf(before);
  return bytes;
};

type OnDropped = (one: OperationEntry | TextEntry) => void;

const trimStack = (stack: TransactionEntry[], dropped: OnDropped): void => {
  let bytes = stack.reduce((sum, each) => sum + each.bytes, 0);
  while (stack.length > 1 && (stack.length > maxStack.entries || bytes > maxStack.bytes)) {
    const oldest = stack.shift();
    bytes -= oldest?.bytes ?? 0;
    oldest?.entries.forEach(dropped);
  }
};

const pushEntry = (stack: TransactionEntry[], stepId: string, one: OperationEntry | TextEntry): void => {
  const top = stack.at(-1);
  const entry = top?.id === stepId ? top : { id: stepId, entries: [], bytes: 0 };
  if (entry !== top) stack.push(entry);
  const last = entry.entries.at(-1);
  // Coalesced with the previous operation, whose journal it includes.
  if (last?.opId === one.opId) {
    entry.entries.pop();
    entry.bytes -= bytesOf(last);
  }
  entry.entries.push(one);
  entry.bytes += bytesOf(one);
};

const clearStack = (stack: TransactionEntry[], dropped: OnDropped): void => {
  for (const { entries } of stack.splice(0)) entries.forEach(dropped);
};

const removeOperations = (stack: TransactionEntry[], opIds: ReadonlySet<string>): void => {
  for (const { entries } of stack)
    for (const one of entries.filter(({ opId }) => opIds.has(opId))) entries.splice(entries.indexOf(one), 1);
  const left = stack.filter(({ entries }) => entries.length > 0);
  stack.splice(0, stack.length, ...left);
};

/** `dropped` is called with entries that can no longer be undone. */
export const createUndoStack = (dropped: OnDropped): UndoStack => {
  const stacks: { readonly undo: TransactionEntry[]; readonly redo: TransactionEntry[] } = { undo: [], redo: [] };
  let direction: Direction = 'edit';
  let isAttempt = false;
  return {
    push: (stepId, one) => {
      if (direction === 'edit' && !isAttempt) clearStack(stacks.redo, dropped);
      const stack = direction === 'undo' ? stacks.redo : stacks.undo;
      pushEntry(stack, stepId, one);
      trimStack(stack, dropped);
    },
    beginAtomic: () => {
      isAttempt = true;
    },
    commitAtomic: () => {
      isAttempt = false;
      clearStack(stacks.redo, dropped);
    },
    removeTransaction: (stepId) => {
      isAttempt = false;
      const { undo } = stacks;
      if (undo.at(-1)?.id === stepId) undo.pop()?.entries.forEach(dropped);
    },
    removeOperations: (opIds) => {
      removeOperations(stacks.undo, opIds);
      removeOperations(stacks.redo, opIds);
    },
    popInto: (way, work) => {
      const entry = stacks[way].pop();
      if (entry === undefined) return false;
      direction = way;
      try {
        work(entry);
      } finally {
        direction = 'edit';
      }
      return true;
    },
    count: (way) => stacks[way].length,
  };
};
