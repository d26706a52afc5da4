/**
 * Applies edits to the local scene, stores them before they are sent, records them for undo, and groups them into
 * transactions.
 */
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import { limits } from '../../../../domain/editor/limits';
import type { Operation } from '../../../../domain/editor/operation';
import type { Outcome, OutcomeReason } from '../../../../domain/editor/outcome';
import type { OperationTracker } from '../replica/operation-tracker';
import { createPending, type PendingOperation } from '../replica/pending-operation';
import {
  groupLastPending,
  type PushResult,
  popPending,
  pushPending,
  type Replica,
  replaceLastPending,
} from '../replica/replica';
import { fullBatch } from '../sync/batch-assembly';
import { parentsBefore } from '../undo/before-images';
import type { UndoStack } from '../undo/undo-stack';
import { coalesce } from './coalesce';
import { createOperation, type IdAllocator, type OperationDraft, toStoredClient } from './id-allocator';

/** Edits that are undone together. */
export interface Transaction {
  readonly id: string;
  /** Set if the edits are committed all or none. */
  readonly atomicGroup: string | undefined;
  /** Operations of an atomic transaction; stored when it is complete. */
  readonly operations: PendingOperation[];
  failure: EditRefusal | undefined;
}

/** `not-open`: the document is not loaded. `not-allowed`: the user may not edit. */
export type EditRefusal = OutcomeReason | 'not-open' | 'not-allowed';

export type EditResult =
  | { readonly ok: true; readonly opIds: readonly OperationId[] }
  | { readonly ok: false; readonly reason: EditRefusal };

export interface EditingContext {
  readonly ids: IdAllocator;
  readonly tracker: OperationTracker;
  readonly undoStack: UndoStack;
  readonly mayEdit: () => boolean;
  readonly isOpen: () => boolean;
  /** Called when an operation is stored and can be sent. */
  readonly onStored: () => void;
  transaction: Transaction | undefined;
  transactionCount: number;
}

export const refusedEdit = (reason: EditRefusal): EditResult => ({ ok: false, reason });

export const newTransaction = (editing: EditingContext, isAtomic: boolean): Transaction => {
  editing.transactionCount += 1;
  const { clientId, now } = editing.ids;
  const id = `${clientId ?? 'new'}.${now().toString(36)}.${editing.transactionCount}`;
  return { id, atomicGroup: isAtomic ? id : undefined, operations: [], failure: undefined };
};

const isEffective = ({ status }: Outcome): boolean => status === 'applied' || status === 'transformed';

/** Stores an operation before it is sent. */
const storePending = ({ ids, tracker, onStored }: EditingContext, item: PendingOperation): void => {
  const { clientId, operation } = item;
  tracker.writeQueue.enqueue(
    { pending: [{ clientId, operation }], client: toStoredClient(ids, clientId) },
    (isOnDisk) => {
      Object.assign(item, { isStored: true, isOnDisk });
      onStored();
    },
  );
};

const isLast = ({ groups }: Replica, item: PendingOperation): boolean => groups.at(-1)?.items.at(-1) === item;

interface PushedEdit {
  readonly item: PendingOperation;
  readonly placed: PushResult;
}

/** Merges the edit into the last operation if that is unsent. */
const pushCoalesced = (editing: EditingContext, clientId: ClientId, operation: Operation): PushedEdit | undefined => {
  const { replica } = editing.tracker;
  const group = replica.groups.at(-1);
  const both = group?.items.length === 1 ? coalesce(group.items[0], operation) : undefined;
  if (both === undefined) return undefined;
  const item = createPending(clientId, both);
  if (item.bytes > fullBatch.bytes) return undefined;
  const placed = replaceLastPending(replica, item, isEffective);
  return isLast(replica, item) ? { item, placed } : undefined;
};

const tooLarge = (opId: OperationId): PushResult => ({
  outcomes: [{ opId, status: 'rejected', reason: 'too-large' }],
  committed: [],
  journals: [],
});

const pushNext = (editing: EditingContext, clientId: ClientId, operation: Operation): PushedEdit => {
  const item = createPending(clientId, operation);
  if (item.bytes > fullBatch.bytes) return { item, placed: tooLarge(operation.opId) };
  const placed = pushPending(editing.tracker.replica, item, isEffective);
  if (isLast(editing.tracker.replica, item)) editing.ids.lastClientSeq += 1;
  return { item, placed };
};

const applyDraft = (editing: EditingContext, transaction: Transaction, draft: OperationDraft): EditResult => {
  const { ids, tracker, undoStack, mayEdit, isOpen } = editing;
  const { clientId } = ids;
  if (clientId === undefined || !isOpen()) return refusedEdit('not-open');
  if (!mayEdit()) return refusedEdit('not-allowed');
  const named = {
    undoGroupId: transaction.id,
    atomicGroup: transaction.atomicGroup,
    baseVersion: tracker.replica.version,
  };
  const operation = createOperation(ids, clientId, { draft, fields: named });
  // Operations of an atomic transaction are not merged: a rollback removes them by count.
  const known = transaction.atomicGroup === undefined ? pushCoalesced(editing, clientId, operation) : undefined;
  const { item, placed } = known ?? pushNext(editing, clientId, operation);
  const [outcome] = placed.outcomes;
  if (!isLast(tracker.replica, item)) {
    const isIdle = outcome?.reason === 'nothing-changes';
    return isIdle ? { ok: true, opIds: [] } : refusedEdit(outcome?.reason ?? 'malformed');
  }
  if (transaction.atomicGroup === undefined) storePending(editing, item);
  else transaction.operations.push(item);
  const { opId } = item.operation;
  const { committed, journals } = placed;
  undoStack.push(transaction.id, {
    opId,
    committed,
    journals,
    previousParents: parentsBefore(tracker.replica.scene, journals),
  });
  return { ok: true, opIds: [opId] };
};

/** Performs the edit in the current transaction, or in a new one. */
export const performEdit = (editing: EditingContext, draft: OperationDraft): EditResult => {
  const transaction = editing.transaction ?? newTransaction(editing, false);
  if (transaction.failure !== undefined) return refusedEdit(transaction.failure);
  const edited = applyDraft(editing, transaction, draft);
  if (!edited.ok && transaction.atomicGroup !== undefined) transaction.failure = edited.reason;
  return edited;
};

const checkTransaction = ({ failure, operations }: Transaction): EditRefusal | undefined => {
  if (failure !== undefined) return failure;
  const bytes = operations.reduce((sum, item) => sum + item.bytes + 1, 0);
  return operations.length > limits.operations || bytes > fullBatch.bytes ? 'too-large' : undefined;
};

/** Nothing was sent, so the sequence numbers are reused. */
const rollBackTransaction = (editing: EditingContext, { id, operations }: Transaction): void => {
  popPending(editing.tracker.replica, operations.length);
  editing.ids.lastClientSeq -= operations.length;
  editing.undoStack.removeTransaction(id);
};

const commitTransaction = (editing: EditingContext, transaction: Transaction): EditResult => {
  const fault = checkTransaction(transaction);
  if (fault !== undefined) {
    rollBackTransaction(editing, transaction);
    return refusedEdit(fault);
  }
  if (transaction.operations.length > 0) editing.undoStack.commitAtomic();
  else editing.undoStack.removeTransaction(transaction.id);
  groupLastPending(editing.tracker.replica, transaction.operations.length);
  for (const item of transaction.operations) storePending(editing, item);
  return { ok: true, opIds: transaction.operations.map(({ operation }) => operation.opId) };
};

const runIn = (editing: EditingContext, transaction: Transaction, work: () => void): void => {
  editing.transaction = transaction;
  try {
    work();
  } finally {
    editing.transaction = undefined;
  }
};

/** Runs edits as one undo step. Refused edits are left out; the others stay. */
export const transact = (editing: EditingContext, work: () => void): void => {
  if (editing.transaction !== undefined) work();
  else runIn(editing, newTransaction(editing, false), work);
};

/** Runs edits that are committed all or none; within another transaction they join it. */
export const transactAtomic = (editing: EditingContext, work: () => void): EditResult => {
  if (editing.transaction !== undefined) {
    work();
    return editing.transaction.failure === undefined
      ? { ok: true, opIds: [] }
      : refusedEdit(editing.transaction.failure);
  }
  const transaction = newTransaction(editing, true);
  editing.undoStack.beginAtomic();
  try {
    runIn(editing, transaction, work);
  } catch (error) {
    rollBackTransaction(editing, transaction);
    throw error;
  }
  return commitTransaction(editing, transaction);
};

/** Opens a transaction to which each call of the returned function adds edits. */
export const openTransaction = (editing: EditingContext): ((work: () => void) => void) => {
  const transaction = newTransaction(editing, false);
  return (work) => (editing.transaction === undefined ? runIn(editing, transaction, work) : work());
};
