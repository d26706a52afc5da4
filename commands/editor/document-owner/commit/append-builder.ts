/** Resolves queued batches, in order, into the next append. Each client's part of the append is one event. */

import { type Either, left } from 'fp-ts/Either';
import type { Operation } from '../../../../domain/editor/operation';
import { recordCommitted } from '../../../../domain/editor/operation-log/client-table';
import type { AtomicGroup } from '../../../../domain/editor/reducer/atomic-groups';
import { rollBack } from '../../../../domain/editor/reducer/rollback-journal';
import { hasAtLeastRole } from '../../../../domain/editor/roles';
import type { Instant } from '../../../../domain/kernel/codec';
import type { DocumentAccess } from '../../../../infra/documents/document-access';
import { isEvicted } from '../client-id-rules';
import { recordNoOps, recordTail } from '../document-content';
import type { BatchRefusal } from '../document-handle';
import type { OwnedDocument } from '../owned-document';
import type { PermissionReading } from './permission-cache';
import { duplicateOutcomes, type GroupResult, processGroup, type Submitter } from './process-group';
import { isProcessed, type QueuedBatch, retryLater } from './queued-batch';
import type { TimeBudget } from './time-budget';

/** The part of one queued batch that goes into this append. */
export interface ClientBatch {
  readonly batch: QueuedBatch;
  readonly fromVersion: number;
  readonly operations: Operation[];
  readonly serialized: string[];
  /** The client's operations up to here are settled. */
  lastClientSeq: number;
}

export interface AppendPlan {
  readonly parts: ClientBatch[];
  /** Completed when this append is in the log. */
  readonly finished: QueuedBatch[];
  /** A restore comes next; it is committed in an append of its own. */
  restore?: QueuedBatch;
  bytes: number;
}

export interface BuildContext extends PermissionReading {
  readonly owned: OwnedDocument;
  readonly at: Instant;
  readonly timeBudget: TimeBudget;
}

export const mayEdit = ({ state, roleOf }: DocumentAccess, { submission }: QueuedBatch): boolean => {
  const role = roleOf(submission.principalId);
  return state === 'active' && role !== undefined && hasAtLeastRole(role, 'editor');
};

export const submitterOf = (batch: QueuedBatch, { access, at }: Pick<BuildContext, 'access' | 'at'>): Submitter => {
  const { clientId, principalId, schema } = batch.submission;
  return { clientId, principalId, schema, mayEdit: mayEdit(access, batch), at };
};

const lastSequenceOf = (group: AtomicGroup): number => group.at(-1)?.clientSeq ?? 0;

/** A retried group may begin with operations that are settled already. They only get their outcomes. */
const splitProcessed = ({ content, sequences }: OwnedDocument, batch: QueuedBatch, group: AtomicGroup) => {
  const settledTo = sequences.of(batch.submission.clientId)?.lastClientSeq ?? 0;
  const fresh = group.filter(({ clientSeq }) => clientSeq > settledTo);
  return { fresh, before: duplicateOutcomes(content, group.slice(0, group.length - fresh.length)) };
};

/** Upper bound of an event's size besides its operations; it counts when an append has many small batches. */
const eventOverheadBytes = 400;

const emptyAppendPlan = (): AppendPlan => ({ parts: [], finished: [], bytes: 0 });

const clientBatchOf = (plan: AppendPlan, batch: QueuedBatch, fromVersion: number): ClientBatch => {
  const { parts } = plan;
  const last = parts.at(-1);
  if (last?.batch === batch) return last;
  const part = { batch, fromVersion, operations: [], serialized: [], lastClientSeq: 1 };
  parts.push(part);
  plan.bytes += eventOverheadBytes;
  return part;
};

interface ProcessedGroup {
  readonly batch: QueuedBatch;
  readonly group: AtomicGroup;
  readonly result: GroupResult;
}

/** From here on, later batches see these operations. */
const addToPlan = (plan: AppendPlan, { owned }: BuildContext, { batch, group, result }: ProcessedGroup): void => {
  const { content, sequences } = owned;
  const { clientId, principalId } = batch.submission;
  const fromVersion = content.version + 1;
  const lastClientSeq = lastSequenceOf(group);
  batch.results.push(...result.outcomes);
  recordNoOps(content, result.outcomes);
  sequences.settle(clientId, { principalId, lastClientSeq });
  if (result.committed.length > 0) {
    const part = clientBatchOf(plan, batch, fromVersion);
    part.operations.push(...result.committed);
    part.serialized.push(...result.serialized);
    recordTail(content, result.serialized);
    content.version += result.committed.length;
    for (const { id } of result.journal) content.changed.add(id);
    plan.bytes += result.bytes;
  }
  const part = plan.parts.at(-1);
  if (part?.batch !== batch) return;
  part.lastClientSeq = lastClientSeq;
  recordCommitted(content.clients, { clientId, lastClientSeq, fromVersion, operations: result.committed });
};

const isRestore = (group: AtomicGroup): boolean => group.some(({ type }) => type === 'restoreVersion');

/** False if the group must wait for the next append. */
const planGroup = (
  plan: AppendPlan,
  build: BuildContext,
  { batch, group }: Omit<ProcessedGroup, 'result'>,
): boolean => {
  const { owned } = build;
  const { bytes: maxBytes, operations: maxOperations } = owned.deps.settings.append;
  const settledTo = owned.sequences.of(batch.submission.clientId)?.lastClientSeq ?? 0;
  if (lastSequenceOf(group) > settledTo && isRestore(group)) {
    if (plan.parts.length === 0) plan.restore = batch;
    return false;
  }
  const count = plan.parts.reduce((sum, { serialized }) => sum + serialized.length, 0);
  if (count > 0 && (count + group.length > maxOperations || plan.bytes >= maxBytes)) return false;
  const { fresh, before } = splitProcessed(owned, batch, group);
  const result = processGroup(owned.content, fresh, { submitter: submitterOf(batch, build), maxBytes });
  if (plan.bytes > 0 && plan.bytes + result.bytes > maxBytes) {
    rollBack(owned.content.scene, result.journal);
    return false;
  }
  batch.results.push(...before);
  if (fresh.length > 0) addToPlan(plan, build, { batch, group: fresh, result });
  return true;
};

/** False if a part of the batch is left. */
const planBatch = (plan: AppendPlan, build: BuildContext, batch: QueuedBatch): boolean => {
  while (!isProcessed(batch)) {
    if (!build.timeBudget.canContinue()) return false;
    const group = batch.groups[batch.processed] as AtomicGroup;
    if (!planGroup(plan, build, { batch, group })) return false;
    batch.processed += 1;
  }
  return true;
};

const planAppend = (build: BuildContext): AppendPlan => {
  const { owned, access, coversUpTo, isFresh } = build;
  const { queue } = owned;
  const plan = emptyAppendPlan();
  for (let batch = queue[0]; batch !== undefined; batch = queue[0]) {
    // The batch arrived after this reading began: access may have changed in between.
    if (batch.number > coversUpTo && !(isFresh && mayEdit(access, batch))) return plan;
    const refusal = checkBatch(owned, batch);
    if (refusal !== undefined) batch.answer(refusal);
    else if (planBatch(plan, build, batch)) plan.finished.push(batch);
    else return plan;
    queue.shift();
  }
  return plan;
};

/** Builds the next append; a rule that throws closes the document instead of the process. */

const maxSnapshotBytesBesideBatches = 65_536;

/** A snapshot event that names many assets is large; with batches it could exceed the append limit. */
const needsOwnAppend = ({ unrecordedSnapshot }: OwnedDocument): boolean =>
  unrecordedSnapshot !== undefined &&
  Buffer.byteLength(JSON.stringify(unrecordedSnapshot)) > maxSnapshotBytesBesideBatches;

/**
 * If a rule throws, the scene is in an intermediate state. The batch that caused it is rejected as malformed, so that
 * clients do not resend it; the other batches are answered with a retryable error.
 */
const planSafely = (build: BuildContext): AppendPlan | undefined => {
  const waited = [...build.owned.queue];
  try {
    return planAppend(build);
  } catch (error) {
    const { owned } = build;
    owned.deps.log.error({ ...owned.documentKey, error }, 'operations could not be put in order');
    const [culprit] = owned.queue.splice(0, 1);
    culprit?.answer(left({ kind: 'rejection', code: 'malformed', detail: 'The batch cannot be understood.' }));
    for (const { answer } of waited) answer(retryLater('Nothing of it was committed; send it again.'));
    return undefined;
  }
};

/** Undefined if the scene can no longer be used. */
export const buildNextAppend = (build: BuildContext): AppendPlan | undefined =>
  needsOwnAppend(build.owned) ? emptyAppendPlan() : planSafely(build);

/** Checks whether a batch may be processed at all: the owner of its client id, and gaps in its sequence. */

const checkBatch = (
  owned: OwnedDocument,
  { submission, processed }: QueuedBatch,
): Either<BatchRefusal, never> | undefined => {
  const { clientId, principalId } = submission;
  const sequence = owned.sequences.of(clientId);
  if (sequence !== undefined && sequence.principalId !== principalId)
    return left({ kind: 'rejection', code: 'client-id-taken', detail: 'The client is somebody else’s.' });
  if (sequence === undefined && isEvicted(owned, { documentKey: owned.documentKey, principalId }, clientId))
    return left({ kind: 'rejection', code: 'client-id-taken', detail: 'The client was forgotten; use another id.' });
  const expectedClientSeq = (sequence?.lastClientSeq ?? 0) + 1;
  if (processed > 0 || (submission.operations[0]?.clientSeq ?? 1) <= expectedClientSeq) return undefined;
  const detail = `The client’s next operation is number ${expectedClientSeq}.`;
  return left({ kind: 'rejection', code: 'client-seq-gap', detail, expectedClientSeq });
};
