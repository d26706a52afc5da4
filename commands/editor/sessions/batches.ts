/** Edits of a client: handed to the document's owner in their order, answered when they are in the log. */
import { isLeft } from 'fp-ts/Either';
import { limits } from '../../../domain/editor/limits';
import type { Operation } from '../../../domain/editor/operation';
import type { OutcomeStatus } from '../../../domain/editor/outcome';
import { logStream } from '../../../domain/editor/streams';
import type { BatchRefusal, Committed, OpenDocument } from '../owner/types';
import type { Cost, Wait } from './allowance';
import type { SessionDeps } from './deps';
import { maySend, principalOf, refuse, type Seated, type Session, type Told } from './session';
import { said } from './words';

/** A client that waits for none of its answers, or takes none, waits for a moment. */
const mostUnderWay = 32;
const unanswered = { milliseconds: 100, of: 'unanswered' } as const;
type Pause = typeof unanswered;

const limit = (session: Session, { milliseconds, of }: Wait | Pause, clientSeq: number): void => {
  session.deps.figures.limited('operations', of);
  session.socket.send(said({ type: 'rateLimited', retryAfterMs: milliseconds, clientSeq }));
};

/** Who sends how much into which document. */
export interface Sending {
  readonly principalId: string;
  readonly clientId: string;
  readonly cost: Cost;
}

const weightOf = ({ type }: Operation): number => (type === 'restoreVersion' ? limits.rates.restoring : 1);

export const costOf = (operations: readonly Operation[], bytes: number): Cost => ({
  operations: operations.reduce((sum, one) => sum + weightOf(one), 0),
  bytes,
});

/** How long until so much may come; undefined: it may. */
export const waitFor = (
  { allowances }: Pick<SessionDeps, 'allowances'>,
  { tenant, documentId }: Pick<OpenDocument, 'tenant' | 'documentId'>,
  { principalId, clientId, cost }: Sending,
): Wait | undefined => {
  const document = logStream(tenant, documentId);
  const principal = `${tenant} ${principalId}`;
  // A client that is named by somebody else is another one.
  return allowances.take({ client: `${document} ${principalId} ${clientId}`, principal, document }, cost);
};

const fault = (session: Session, { operations, clientSeq }: Told<'operations'>, bytes: number) => {
  // Around the operations themselves.
  if (bytes > limits.batchBytes + 1_024)
    return { code: 'batch-too-large', detail: `A batch takes at most ${limits.batchBytes} bytes.` } as const;
  if (operations.at(-1)?.clientSeq !== clientSeq)
    return { code: 'malformed', detail: 'The sequence of a message is that of its last operation.' } as const;
  if (!maySend(session)) return { code: 'forbidden', detail: 'The token lacks the scope documents:write.' } as const;
  return undefined;
};

export const countOutcomes = ({ figures }: Pick<SessionDeps, 'figures'>, { results }: Committed): void => {
  const counts = new Map<OutcomeStatus, number>();
  for (const { status } of results) counts.set(status, (counts.get(status) ?? 0) + 1);
  for (const [status, count] of counts) figures.settled(status, count);
};

const acknowledge = (seated: Seated, clientSeq: number, { committedVersion, results }: Committed): void => {
  const opIds = results.map(({ opId }) => opId);
  const bytes = said({ type: 'ack', clientSeq, committedVersion, opIds, results: [...results] });
  seated.seat.feed.answer(committedVersion, bytes);
};

const refused = (session: Session, refusal: BatchRefusal, clientSeq: number): void => {
  const more = 'expectedClientSeq' in refusal ? { expectedClientSeq: refusal.expectedClientSeq } : {};
  refuse(session, refusal, { clientSeq, ...more });
};

const commit = async (session: Session, seated: Seated, message: Told<'operations'>): Promise<void> => {
  const { deps, requestId } = session;
  const { clientSeq, operations } = message;
  const began = performance.now();
  seated.underWay += 1;
  const done = await seated.room.document.submit({
    ...{ clientId: seated.seat.clientId, principalId: principalOf(session), schema: seated.schema },
    ...{ operations, correlationId: requestId },
  });
  seated.underWay -= 1;
  if (!isLeft(done)) {
    deps.figures.acknowledged((performance.now() - began) / 1_000);
    countOutcomes(deps, done.right);
  }
  if (session.seated !== seated) return;
  if (isLeft(done)) refused(session, done.left, clientSeq);
  else acknowledge(seated, clientSeq, done.right);
};

export const take = (session: Session, message: Told<'operations'>, bytes: number): Promise<void> | void => {
  const { seated, deps } = session;
  const { documentId, clientSeq, operations } = message;
  if (seated === undefined || seated.room.document.documentId !== documentId)
    return refuse(session, { code: 'not-joined', detail: 'Join the document first.' }, { clientSeq });
  const found = fault(session, message, bytes);
  if (found !== undefined) return refuse(session, found, { clientSeq });
  if (seated.underWay + seated.seat.feed.owes() >= mostUnderWay) return limit(session, unanswered, clientSeq);
  const { clientId } = seated.seat;
  const sending = { principalId: principalOf(session), clientId, cost: costOf(operations, bytes) };
  const wait = waitFor(deps, seated.room.document, sending);
  if (wait !== undefined) return limit(session, wait, clientSeq);
  return commit(session, seated, message);
};
