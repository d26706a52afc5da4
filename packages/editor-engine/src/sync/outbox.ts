/** Sends the pending edits of one client over one connection: one batch at a time, in order, again until it is known what became of it. */
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
  /** With another join the numbers go on where they should. */
  readonly rejoin: () => void;
  /** Between a join and the end of its line. */
  isJoined: boolean;
  mayEdit: boolean;
  /** Named as settled in the last join. */
  reportedSettled: number;
  /** The next number that the owner takes. */
  expected: number;
  batch: readonly PendingOperation[] | undefined;
  room: BatchLimit;
  resume: (() => void) | undefined;
}

export const createOutbox = (
  options: Pick<Outbox, 'tracker' | 'platform' | 'documentId' | 'clientId' | 'send' | 'rejoin'>,
): Outbox => ({
  ...options,
  ...{ isJoined: false, mayEdit: false, reportedSettled: 0, expected: 1 },
  ...{ batch: undefined, room: fullBatch, resume: undefined },
});

const unsettled = ({ tracker, clientId }: Outbox): readonly PendingOperation[] =>
  pendingOfClient(tracker, clientId).filter(({ settledAt }) => settledAt === undefined);

/** For a join: everything of the client up to here is settled. */
export const settledSeq = (outbox: Outbox, lastClientSeq: number): number => {
  // What is only said to be settled may be in an append that fails yet.
  const first = pendingOfClient(outbox.tracker, outbox.clientId).find(({ isAccepted }) => !isAccepted);
  outbox.reportedSettled = first === undefined ? lastClientSeq : first.operation.clientSeq - 1;
  return outbox.reportedSettled;
};

/** Nodes that other clients here create, and that the owner does not know yet: edits of tabs that are gone are shown before they are sent. */
const createdByOthers = ({ tracker, clientId }: Outbox): readonly NodeId[] =>
  pendingOperations(tracker.replica).flatMap((item) => {
    const isOurs = item.clientId === clientId || item.settledAt !== undefined;
    return isOurs || item.operation.type !== 'createNode' ? [] : item.operation.targetIds;
  });

/** What names one of those waits for it: it would be an edit of a node that there is not. */
const sendable = (outbox: Outbox): readonly PendingOperation[] => {
  const items = unsettled(outbox);
  const created = createdByOthers(outbox);
  const first = items.findIndex(({ json }) => created.some((id) => json.includes(`"${id}"`)));
  return first < 0 ? items : items.slice(0, first);
};

/** Sends the next batch when nothing is under way and something waits. */
export const sendNext = (outbox: Outbox): void => {
  const { isJoined, mayEdit, batch, resume, room: limit, documentId } = outbox;
  if (!isJoined || !mayEdit || batch !== undefined || resume !== undefined) return;
  const items = nextBatch(sendable(outbox), limit);
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
  outbox.resume = outbox.platform.later(milliseconds, () => {
    outbox.resume = undefined;
    sendNext(outbox);
  });
};

/** The line has ended: what was under way is not known, and goes again. */
export const handleDisconnect = (outbox: Outbox): void => {
  outbox.resume?.();
  Object.assign(outbox, { isJoined: false, batch: undefined, resume: undefined });
};

const isCommitted = ({ operation }: PendingOperation, came: ServerMessage<'joined'>['came']): boolean | undefined => {
  if (came === undefined) return undefined;
  if (came.clientSeqs.includes(operation.clientSeq)) return true;
  // It came after what its author had seen, and all of that is known.
  return operation.baseVersion >= came.since ? false : undefined;
};

/**
 * What the owner knows of this client is settled; it is in what is committed by then, or nowhere. An owner before may have said more.
 * While an append of it is under way nothing is: that may fail, and the document be somebody else's then. So it is sent again, and
 * answered when that is over.
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
  // Where it is not said of what, presence may be meant: then the batch is answered besides, and once more does no harm.
  if (last !== undefined && (clientSeq ?? last) === last) pause(outbox, Math.max(1, retryAfterMs));
};

/** What becomes of a batch that its owner did not take. */

/** One of them cannot be sent at all: parts are tried until it is found. */
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

/** The batch as a whole was refused, and nothing of it is settled. */
export const handleRejection = (outbox: Outbox, { code, clientSeq }: ServerMessage<'error'>): void => {
  const { batch } = outbox;
  const isThis = clientSeq === undefined || clientSeq === batch?.at(-1)?.operation.clientSeq;
  if (batch === undefined || !isThis) return;
  if (code === 'client-seq-gap') outbox.rejoin();
  else if (code === 'malformed') isolateRejected(outbox, batch, 'malformed');
  else if (code === 'batch-too-large') isolateRejected(outbox, batch, 'too-large');
  else pause(outbox, 1_000);
};
