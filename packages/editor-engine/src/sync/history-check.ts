/** Detects that the server's log was restored to an earlier time, so that its versions differ from those known here. */
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { VersionStamp } from '../ports/document-store';
import {
  type FailedOperation,
  moveToUnapplied,
  type OperationTracker,
  takeCommittedAfter,
} from '../replica/operation-tracker';
import type { PendingOperation } from '../replica/pending-operation';
import { pendingOperations } from '../replica/replica';

type JoinedMessage = ServerMessage<'joined'>;

/** `unsure`: the operation of the known version is unknown. */
export type HistoryRelation = 'same' | 'other' | 'unsure';

const lacksCommitted = ({ committedOwn }: OperationTracker, { clientId, committedClientSeq }: JoinedMessage): boolean =>
  committedClientSeq !== undefined &&
  committedOwn.items.some((item) => item.clientId === clientId && item.operation.clientSeq > committedClientSeq);

/** `known` is the stamp sent with the join. */
export const compareHistory = (
  tracker: OperationTracker,
  known: VersionStamp,
  joined: JoinedMessage,
): HistoryRelation => {
  const { committedVersion, opIdThere } = joined;
  if (committedVersion < known.version || lacksCommitted(tracker, joined)) return 'other';
  if (known.version === 0 || opIdThere === undefined || opIdThere === known.opId) return 'same';
  return known.opId === undefined ? 'unsure' : 'other';
};

/**
 * Moves a client's operations that the log lacks to the unapplied edits: committed ones that are gone, and pending
 * ones. They are not sent into another history.
 */
export const moveDivergedToUnapplied = (
  tracker: OperationTracker,
  { clientId, committedClientSeq }: JoinedMessage,
  items: readonly PendingOperation[],
): void => {
  const isThere = (item: PendingOperation): boolean =>
    item.clientId === clientId && committedClientSeq !== undefined && item.operation.clientSeq <= committedClientSeq;
  const reached = committedClientSeq ?? Number.POSITIVE_INFINITY;
  const { taken, change } = takeCommittedAfter(tracker.committedOwn, clientId, reached);
  const lostAs = (item: PendingOperation, isUncertain: boolean): FailedOperation => ({
    item,
    reason: 'history-replaced',
    isUncertain,
  });
  const isKnown = (item: PendingOperation): boolean => item.clientId === clientId && committedClientSeq !== undefined;
  tracker.writeQueue.enqueue(change);
  moveToUnapplied(tracker, [
    ...taken.map((item) => lostAs(item, false)),
    ...items.filter((item) => !isThere(item)).map((item) => lostAs(item, item.isSent && !isKnown(item))),
  ]);
};

export const moveAllDivergedToUnapplied = (tracker: OperationTracker, joined: JoinedMessage): void =>
  moveDivergedToUnapplied(tracker, joined, pendingOperations(tracker.replica));
