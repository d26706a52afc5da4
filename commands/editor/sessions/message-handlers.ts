/** Handles `operations` and `presence` messages of a session. */
import { isLeft } from 'fp-ts/Either';
import { limits } from '../../../domain/editor/limits';
import type { Operation } from '../../../domain/editor/operation';
import { logStream } from '../../../domain/editor/operation-log/events';
import type { OutcomeStatus } from '../../../domain/editor/outcome';
import { createTokenBucket } from '../../../infra/server/ws/token-bucket';
import { callerOf } from '../../kernel/handle-request';
import type { BatchRefusal, DocumentHandle, SubmitResult } from '../document-owner/document-handle';
import {
  type ClientSession,
  hasWriteScope,
  type JoinedState,
  type MessageOf,
  principalOf,
  sendError,
} from './client-session';
import type { SessionDeps } from './dependencies';
import { encodeMessage } from './outbound/message-encoding';
import type { Cost, RetryAfter } from './rate-limits';

/** A client with this many unacknowledged batches is paused. */
const maxUnacknowledged = 32;
const unacknowledgedPause = { milliseconds: 100, of: 'unanswered' } as const;
type Pause = typeof unacknowledgedPause;

const sendRateLimited = (session: ClientSession, { milliseconds, of }: RetryAfter | Pause, clientSeq: number): void => {
  session.deps.metrics.limited('operations', of);
  session.socket.send(encodeMessage({ type: 'rateLimited', retryAfterMs: milliseconds, clientSeq }));
};

/** Sender and cost of a batch. */
export interface BatchSender {
  readonly principalId: string;
  readonly clientId: string;
  readonly cost: Cost;
}

const weightOf = ({ type }: Operation): number => (type === 'restoreVersion' ? limits.rates.restoring : 1);

export const batchCost = (operations: readonly Operation[], bytes: number): Cost => ({
  operations: operations.reduce((sum, one) => sum + weightOf(one), 0),
  bytes,
});

/** Takes the batch's tokens from all rate limits; returns the delay if one has too few. */
export const takeTokens = (
  { rateLimiter }: Pick<SessionDeps, 'rateLimiter'>,
  { tenant, documentId }: Pick<DocumentHandle, 'tenant' | 'documentId'>,
  { principalId, clientId, cost }: BatchSender,
): RetryAfter | undefined => {
  const document = logStream(tenant, documentId);
  const principal = `${tenant} ${principalId}`;
  // The same client id used by another principal counts separately.
  return rateLimiter.take({ client: `${document} ${principalId} ${clientId}`, principal, document }, cost);
};

const checkMessage = (session: ClientSession, { operations, clientSeq }: MessageOf<'operations'>, bytes: number) => {
  // Bytes of the message besides the operations.
  if (bytes > limits.batchBytes + 1_024)
    return { code: 'batch-too-large', detail: `A batch takes at most ${limits.batchBytes} bytes.` } as const;
  if (operations.at(-1)?.clientSeq !== clientSeq)
    return { code: 'malformed', detail: 'The sequence of a message is that of its last operation.' } as const;
  if (!hasWriteScope(session))
    return { code: 'forbidden', detail: 'The token lacks the scope documents:write.' } as const;
  return undefined;
};

export const countOutcomes = ({ metrics }: Pick<SessionDeps, 'metrics'>, { results }: SubmitResult): void => {
  const counts = new Map<OutcomeStatus, number>();
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  for (const [status, count] of counts) metrics.settled(status, count);
};

const acknowledge = (joined: JoinedState, clientSeq: number, { committedVersion, results }: SubmitResult): void => {
  const opIds = results.map(({ opId }) => opId);
  const bytes = encodeMessage({ type: 'ack', clientSeq, committedVersion, opIds, results: [...results] });
  joined.roomSession.stream.acknowledge(committedVersion, bytes);
};

const sendBatchRefusal = (session: ClientSession, refusal: BatchRefusal, clientSeq: number): void => {
  const more = 'expectedClientSeq' in refusal ? { expectedClientSeq: refusal.expectedClientSeq } : {};
  // On the socket both mean that the client joins again without its id.
  const code = refusal.code === 'client-id-not-issued' ? 'client-id-taken' : refusal.code;
  sendError(session, { code, detail: refusal.detail }, { clientSeq, ...more });
};

const commit = async (session: ClientSession, joined: JoinedState, message: MessageOf<'operations'>): Promise<void> => {
  const { deps, requestId } = session;
  const { clientSeq, operations } = message;
  const began = performance.now();
  joined.unacknowledged += 1;
  const done = await joined.room.document.submit({
    clientId: joined.roomSession.clientId,
    principalId: principalOf(session),
    actor: callerOf(session.token.identity()),
    schema: joined.schema,
    operations,
    correlationId: requestId,
  });
  joined.unacknowledged -= 1;
  if (!isLeft(done)) {
    deps.metrics.acknowledged((performance.now() - began) / 1_000);
    countOutcomes(deps, done.right);
  }
  if (session.joined !== joined) return;
  if (isLeft(done)) sendBatchRefusal(session, done.left, clientSeq);
  else acknowledge(joined, clientSeq, done.right);
};

export const handleOperations = (
  session: ClientSession,
  message: MessageOf<'operations'>,
  bytes: number,
): Promise<void> | void => {
  const { joined, deps } = session;
  const { documentId, clientSeq, operations } = message;
  if (joined === undefined || joined.room.document.documentId !== documentId)
    return sendError(session, { code: 'not-joined', detail: 'Join the document first.' }, { clientSeq });
  const found = checkMessage(session, message, bytes);
  if (found !== undefined) return sendError(session, found, { clientSeq });
  if (joined.unacknowledged + joined.roomSession.stream.pendingAcks() >= maxUnacknowledged)
    return sendRateLimited(session, unacknowledgedPause, clientSeq);
  const { clientId } = joined.roomSession;
  const sending = { principalId: principalOf(session), clientId, cost: batchCost(operations, bytes) };
  const wait = takeTokens(deps, joined.room.document, sending);
  if (wait !== undefined) return sendRateLimited(session, wait, clientSeq);
  return commit(session, joined, message);
};

export const throttledPresenceHandler = (session: ClientSession): ((message: MessageOf<'presence'>) => void) => {
  const { deps, socket } = session;
  const { most, perSecond } = limits.rates.presence;
  const allowance = createTokenBucket(most, perSecond);
  /** Limits the notices that presence is rate-limited. */
  const notice = createTokenBucket(1, 1);
  const limit = (): void => {
    deps.metrics.limited('presence', 'client');
    if (notice.take()) socket.send(encodeMessage({ type: 'rateLimited', retryAfterMs: Math.ceil(1_000 / perSecond) }));
  };
  return (message) => {
    const { joined } = session;
    if (joined === undefined) return sendError(session, { code: 'not-joined', detail: 'Join the document first.' });
    if (!allowance.take()) return limit();
    const { room, roomSession } = joined;
    const member = {
      documentId: room.document.documentId,
      userId: principalOf(session),
      connectionId: roomSession.connectionId,
    };
    room.presence.update(member, message);
  };
};
