/** Sends one client's pending operations: one batch at a time, in order, again until its outcome is known. */
import type { ClientId, NodeId } from '../../../../domain/editor/ids';
import type { ServerMessage } from '../../../../domain/editor/protocol/server-messages';
import type { Platform } from '../ports/platform';
import {
  applyOutcomes,
  moveToUnapplied,
  type OperationResult,
  type OperationTracker,
  pendingOfClient,
  settleDue,
} from '../replica/operation-tracker';
import type { PendingOperation } from '../replica/pending-operation';
import { pendingOperations } from '../replica/replica';
import { type BatchLimit, doubleLimit, fullBatch, halveLimit, nextBatch } from './batch-assembly';

export interface Outbox {
  readonly tracker: OperationTracker;
  readonly platform: Platform;
  readonly documentId: string;
  readonly clientId: ClientId;
  readonly send: (text: string) => void;
  /** Joins again, which resynchronizes the sequence. */
  readonly rejoin: () => void;
  /** From the join to the end of the connection. */
  isJoined: boolean;
  mayEdit: boolean;
  /** The settled sequence sent with the last join. */
  reportedSettled: number;
  /** The next sequence that the owner accepts. */
  expected: number;
  batch: readonly PendingOperation[] | undefined;
  room: BatchLimit;
  resume: (() => void) | undefined;
}

export const createOutbox = (
  options: Pick<Outbox, 'tracker' | 'platform' | 'documentId' | 'clientId' | 'send' | 'rejoin'>,
): Outbox => ({
  ...options,
  isJoined: false,
  mayEdit: false,
  reportedSettled: 0,
  expected: 1,
  batch: undefined,
  room: fullBatch,
  resume: undefined,
});

const unsettled = ({ tracker, clientId }: Outbox): readonly PendingOperation[] =>
  pendingOfClient(tracker, clientId).filter(({ settledAt }) => settledAt === undefined);

/** The highest settled sequence, for a join. */
export const settledSeq = (outbox: Outbox, lastClientSeq: number): number => {
  // Operations that are only reported as settled may be in an append that still fails.
  const first = pendingOfClient(outbox.tracker, outbox.clientId).find(({ isAccepted }) => !isAccepted);
  outbox.reportedSettled = first === undefined ? lastClientSeq : first.operation.clientSeq - 1;
  return outbox.reportedSettled;
};

/** Nodes created by other local clients and unknown to the owner: edits of closed tabs show before they are sent. */
const createdByOthers = ({ tracker, clientId }: Outbox): readonly NodeId[] =>
  pendingOperations(tracker.replica).flatMap((item) => {
    const isOurs = item.clientId === clientId || item.settledAt !== undefined;
    return isOurs || item.operation.type !== 'createNode' ? [] : item.operation.targetIds;
  });

/** Operations that name such a node wait until it is committed. */
const sendable = (outbox: Outbox): readonly PendingOperation[] => {
  const items = unsettled(outbox);
  const created = createdByOthers(outbox);
  const first = items.findIndex(({ json }) => created.some((id) => json.includes(`"${id}"`)));
  return first < 0 ? items : items.slice(0, first);
};

/** Sends the next batch unless one is in flight. */
export const sendNext = (outbox: Outbox): void => {
  const { isJoined, mayEdit, batch, resume, room, documentId } = outbox;
  if (!isJoined || !mayEdit || batch !== undefined || resume !== undefined) return;
  const items = nextBatch(sendable(outbox), room);
  const [first, last] = [items[0]?.operation.clientSeq, items.at(-1)?.operation.clientSeq];
  if (first === undefined || last === undefined) return;
  if (first > outbox.expected) {
    outbox.rejoin();
    return;
  }
  for (const item of items) item.isSent = true;
  outbox.batch = items;
  const head = JSON.stringify({ type: 'operations', documentId, clientSeq: last });
  outbox.send(`${head.slice(0, -1)},"operations":[${items.map(({ json }) => json).join(',')}]}`);
};

const pause = (outbox: Outbox, milliseconds: number): void => {
  outbox.batch = undefined;
  outbox.resume?.();
  outbox.resume = outbox.platform.schedule(milliseconds, () => {
    outbox.resume = undefined;
    sendNext(outbox);
  });
};

/** The batch in flight has an unknown outcome and is sent again. */
export const handleDisconnect = (outbox: Outbox): void => {
  outbox.resume?.();
  Object.assign(outbox, { isJoined: false, batch: undefined, resume: undefined });
};

const isCommitted = ({ operation }: PendingOperation, came: ServerMessage<'joined'>['came']): boolean | undefined => {
  if (came === undefined) return undefined;
  if (came.clientSeqs.includes(operation.clientSeq)) return true;
  // It was committed after the version its author saw, and all sequences since then are listed.
  return operation.baseVersion >= came.since ? false : undefined;
};

/**
 * Marks operations up to `lastClientSeq` as settled: each is committed by `settledVersion` or was dropped. A previous
 * owner may have reported more, so all marks are recomputed. If `settledVersion` is ahead of `committedVersion`, the
 * append may still fail, and nothing is marked.
 */
export const applyJoined = (outbox: Outbox, message: ServerMessage<'joined'>): void => {
  const { lastClientSeq, committedVersion, settledVersion = committedVersion, came } = message;
  for (const item of pendingOfClient(outbox.tracker, outbox.clientId).filter(({ isAccepted }) => !isAccepted)) {
    const { clientSeq } = item.operation;
    const isSettled = settledVersion <= committedVersion && clientSeq <= lastClientSeq;
    Object.assign(item, {
      settledAt: isSettled ? settledVersion : undefined,
      came: isSettled ? isCommitted(item, came) : undefined,
    });
  }
  settleDue(outbox.tracker);
  Object.assign(outbox, { isJoined: true, expected: Math.max(lastClientSeq, outbox.reportedSettled) + 1 });
};

export const applyAck = (outbox: Outbox, ack: ServerMessage<'ack'>): void => {
  const { tracker, batch } = outbox;
  const isAnswer = batch?.at(-1)?.operation.clientSeq === ack.clientSeq;
  if (isAnswer) Object.assign(outbox, { batch: undefined, room: doubleLimit(outbox.room) });
  outbox.expected = Math.max(outbox.expected, ack.clientSeq + 1);
  const outcomes = new Map(ack.results?.map((outcome) => [outcome.opId, outcome]));
  const known = isAnswer ? batch : unsettled(outbox);
  const named = known.filter(({ operation: { opId } }) => outcomes.has(opId) || ack.opIds.includes(opId));
  const judged: readonly OperationResult[] = named.map((item) => ({
    item,
    outcome: outcomes.get(item.operation.opId) ?? { status: 'applied' },
  }));
  applyOutcomes(tracker, judged, ack.committedVersion);
  sendNext(outbox);
};

export const handleRateLimit = (outbox: Outbox, { retryAfterMs, clientSeq }: ServerMessage<'rateLimited'>): void => {
  const last = outbox.batch?.at(-1)?.operation.clientSeq;
  // Without `clientSeq` the message may concern presence; then resending the batch is harmless.
  if (last !== undefined && (clientSeq ?? last) === last) pause(outbox, Math.max(1, retryAfterMs));
};

/** Halves the batch until the operation that cannot be sent is found. */
const isolateRejected = (
  outbox: Outbox,
  batch: readonly PendingOperation[],
  reason: 'malformed' | 'too-large',
): void => {
  const { tracker } = outbox;
  const isOne = nextBatch(batch, { operations: 1, bytes: 1 }).length === batch.length;
  outbox.batch = undefined;
  outbox.room = halveLimit({ operations: batch.length, bytes: outbox.room.bytes });
  if (!isOne) {
    sendNext(outbox);
    return;
  }
  moveToUnapplied(
    tracker,
    batch.map((item) => ({ item, reason, isUncertain: false })),
  );
  for (const { operation } of batch)
    tracker.emitter.emit({ kind: 'notice', notice: { opId: operation.opId, operation, status: 'rejected', reason } });
  outbox.rejoin();
};

/** The batch was rejected as a whole, and nothing of it is settled. */
export const handleRejection = (outbox: Outbox, { code, clientSeq }: ServerMessage<'error'>): void => {
  const { batch } = outbox;
  const isThis = clientSeq === undefined || clientSeq === batch?.at(-1)?.operation.clientSeq;
  if (batch === undefined || !isThis) return;
  if (code === 'client-seq-gap') outbox.rejoin();
  else if (code === 'malformed') isolateRejected(outbox, batch, 'malformed');
  else if (code === 'batch-too-large') isolateRejected(outbox, batch, 'too-large');
  else pause(outbox, 1_000);
};
