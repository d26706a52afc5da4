/**
 * Tracks pending operations until their fate is known: committed, dropped, or moved to the unapplied edits. Each ends
 * once.
 */
import type { ClientId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { Outcome } from '../../../../domain/editor/outcome';
import type { Emitter } from '../engine/events';
import type { RecoveredEdit, StoreChange } from '../ports/document-store';
import type { WriteQueue } from '../storage/write-queue';
import { type PendingOperation, restoredPending } from './pending-operation';
import { pendingOperations, type Replica, rebaseOnto, removeFromReplica } from './replica';

export interface OperationTracker {
  readonly replica: Replica;
  readonly writeQueue: WriteQueue;
  readonly emitter: Emitter;
  readonly unapplied: Map<string, RecoveredEdit>;
  readonly committedOwn: CommittedOwn;
  readonly now: () => number;
  /** The store outlives the page. */
  readonly isDurable: boolean;
  /** Whether this tab stores committed frames for all tabs. */
  keepsFrames: boolean;
  /** Called when a pending operation is settled. */
  readonly onSettled: () => void;
  /** Called with the count of committed operations. */
  readonly onCommitted: (operations: number) => void;
  /** Called with operations that did not get into the document. */
  readonly onLost: (opIds: ReadonlySet<string>) => void;
}

const keysOf = (items: readonly PendingOperation[]) =>
  items.map(({ clientId, operation }) => ({ clientId, clientSeq: operation.clientSeq }));

export const pendingOfClient = ({ replica }: OperationTracker, clientId: ClientId): readonly PendingOperation[] =>
  pendingOperations(replica).filter((item) => item.clientId === clientId);

export interface FailedOperation extends Pick<RecoveredEdit, 'reason' | 'isUncertain'> {
  readonly item: PendingOperation;
}

/** Moves operations to the unapplied edits. */
export const moveToUnapplied = (tracker: OperationTracker, lost: readonly FailedOperation[]): void => {
  const { replica, writeQueue, unapplied, now } = tracker;
  if (lost.length === 0) return;
  const edits = lost.map(({ item: { operation }, reason, isUncertain }) => ({
    id: operation.opId,
    operation,
    reason,
    isUncertain,
    at: now(),
  }));
  for (const edit of edits) unapplied.set(edit.id, edit);
  const items = lost.map(({ item }) => item);
  removeFromReplica(replica, new Set(items));
  writeQueue.enqueue({ settled: keysOf(items), recovered: edits });
  tracker.onLost(new Set(edits.map(({ id }) => id)));
  tracker.onSettled();
};

const removePending = (
  { replica, writeQueue, onSettled }: OperationTracker,
  items: readonly PendingOperation[],
): void => {
  if (items.length === 0) return;
  removeFromReplica(replica, new Set(items));
  writeQueue.enqueue({ settled: keysOf(items) });
  onSettled();
};

const emitNotice = (
  { emitter }: OperationTracker,
  { operation }: PendingOperation,
  how: Pick<Outcome, 'status' | 'reason'>,
): void => {
  const { status, reason } = how;
  if (status === 'applied' || status === 'duplicate') return;
  emitter.emit({ kind: 'notice', notice: { opId: operation.opId, operation, status, reason } });
};

/** Stores own committed operations. */
const recordCommitted = ({ writeQueue, committedOwn }: OperationTracker, items: readonly PendingOperation[]): void => {
  if (items.length > 0) writeQueue.enqueue(addCommittedOwn(committedOwn, items));
};

/** Settles operations whose outcome version is reached. Those whose fate is unknown move to the unapplied edits. */
export const settleDue = (tracker: OperationTracker): void => {
  const { replica } = tracker;
  const due = pendingOperations(replica).filter(
    ({ settledAt }) => settledAt !== undefined && settledAt <= replica.version,
  );
  const isDone = ({ isAccepted, came }: PendingOperation): boolean => isAccepted || came === true;
  recordCommitted(tracker, due.filter(isDone));
  removePending(tracker, due.filter(isDone));
  const lost = due.filter((item) => !isDone(item));
  moveToUnapplied(
    tracker,
    lost.map((item) => ({ item, reason: 'unknown', isUncertain: item.isPerhapsSeen && item.came === undefined })),
  );
  for (const item of lost) emitNotice(tracker, item, { status: 'dropped' });
};

/** Applies committed operations in version order, without gaps. */
export const trackCommitted = (tracker: OperationTracker, operations: readonly Operation[]): void => {
  const { replica, writeQueue } = tracker;
  const ids = new Set(operations.map(({ opId }) => opId));
  const own = pendingOperations(replica).filter(({ operation }) => ids.has(operation.opId));
  const fromVersion = replica.version + 1;
  rebaseOnto(replica, operations);
  const frames = tracker.keepsFrames && operations.length > 0 ? [{ fromVersion, operations }] : [];
  if (own.length > 0 || frames.length > 0) writeQueue.enqueue({ settled: keysOf(own), frames });
  recordCommitted(tracker, own);
  settleDue(tracker);
  tracker.onCommitted(operations.length);
  if (own.length > 0) tracker.onSettled();
};

export interface OperationResult {
  readonly item: PendingOperation;
  readonly outcome: Pick<Outcome, 'status' | 'reason' | 'version'>;
}

/** Applies the outcomes of a batch, which are final at `version`. */
export const applyOutcomes = (tracker: OperationTracker, judged: readonly OperationResult[], version: number): void => {
  const isGone = ({ outcome: { status } }: OperationResult): boolean => status === 'dropped' || status === 'rejected';
  for (const { item, outcome } of judged.filter((one) => !isGone(one))) {
    item.settledAt = outcome.version ?? version;
    // A duplicate without a version may have been dropped.
    item.isAccepted = outcome.status !== 'duplicate' || outcome.version !== undefined;
  }
  const gone = judged.filter(isGone);
  const isIdle = ({ outcome }: OperationResult): boolean => outcome.reason === 'nothing-changes';
  removePending(
    tracker,
    gone.filter(isIdle).map(({ item }) => item),
  );
  const lost = gone.filter((one) => !isIdle(one));
  moveToUnapplied(
    tracker,
    lost.map(({ item, outcome }) => ({ item, reason: outcome.reason ?? 'unknown', isUncertain: false })),
  );
  for (const { item, outcome } of judged) emitNotice(tracker, item, outcome);
  settleDue(tracker);
};

/**
 * The newest own committed operations. If the server's log is restored to an earlier time, these may be missing
 * there.
 */

export interface CommittedOwn {
  /** In commit order. */
  items: PendingOperation[];
  bytes: number;
}

const maxCommittedOwn = { operations: 1_000, bytes: 2_000_000 };

const totalBytes = (items: readonly PendingOperation[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);

export const restoredCommittedOwn = (
  stored: readonly { readonly clientId: ClientId; readonly operation: Operation }[],
): CommittedOwn => {
  const items = stored.map(({ clientId, operation }) => restoredPending(clientId, operation));
  return { items, bytes: totalBytes(items) };
};

const keyOf = ({ clientId, operation: { clientSeq } }: PendingOperation) => ({ clientId, clientSeq });

/** Adds committed operations; returns what the store has to add and remove. */
const addCommittedOwn = (
  committedOwn: CommittedOwn,
  items: readonly PendingOperation[],
): Pick<StoreChange, 'acknowledged' | 'released'> => {
  const all = [...committedOwn.items, ...items];
  let bytes = committedOwn.bytes + totalBytes(items);
  let gone = 0;
  while (all.length - gone > maxCommittedOwn.operations || bytes > maxCommittedOwn.bytes) {
    bytes -= all[gone]?.bytes ?? 0;
    gone += 1;
  }
  Object.assign(committedOwn, { items: all.slice(gone), bytes });
  return {
    acknowledged: items.map(({ clientId, operation }) => ({ clientId, operation })),
    released: all.slice(0, gone).map(keyOf),
  };
};

/** Takes a client's operations above a sequence. */
export const takeCommittedAfter = (
  committedOwn: CommittedOwn,
  clientId: ClientId,
  clientSeq: number,
): { readonly taken: readonly PendingOperation[]; readonly change: Pick<StoreChange, 'released'> } => {
  const isAbove = (item: PendingOperation): boolean =>
    item.clientId === clientId && item.operation.clientSeq > clientSeq;
  const taken = committedOwn.items.filter(isAbove);
  const items = committedOwn.items.filter((item) => !isAbove(item));
  Object.assign(committedOwn, { items, bytes: totalBytes(items) });
  return { taken, change: { released: taken.map(keyOf) } };
};
