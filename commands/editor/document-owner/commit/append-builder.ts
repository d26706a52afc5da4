/**
 * Resolves queued batches, in order, into the next append. Each client's part of the append is one event. Atomic groups
 * are resolved one by one; a group that does not fit waits for the next append.
 */
import { type Either, left } from 'fp-ts/Either';
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { checkInverse, checkOperationId, recordCommitted } from '../../../../domain/editor/operation-log/client-table';
import type { Outcome, OutcomeReason } from '../../../../domain/editor/outcome';
import type { AtomicGroup } from '../../../../domain/editor/reducer/atomic-groups';
import { runBatch } from '../../../../domain/editor/reducer/batch';
import type { ResolveContext } from '../../../../domain/editor/reducer/resolution';
import type { RollbackJournal } from '../../../../domain/editor/reducer/rollback-journal';
import { hasAtLeastRole } from '../../../../domain/editor/roles';
import type { Instant } from '../../../../domain/kernel/codec';
import type { DocumentAccess } from '../../../../infra/server/documents/document-access';
import { checkClientId } from '../client-id-rules';
import { type DocumentContent, recordNoOps, recordTail } from '../document-content';
import type { BatchRefusal } from '../document-handle';
import type { DocumentParts } from '../document-parts';
import { isProcessed, type QueuedBatch, retryLater } from './batch-queue';
import type { PermissionReading } from './permission-cache';
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
  readonly owned: DocumentParts;
  readonly at: Instant;
  readonly timeBudget: TimeBudget;
}

export const mayEdit = ({ state, roleOf }: DocumentAccess, { submission }: QueuedBatch): boolean => {
  const role = roleOf(submission.principalId);
  return state === 'active' && role !== undefined && hasAtLeastRole(role, 'editor');
};

export interface Submitter {
  readonly clientId: ClientId;
  readonly principalId: string;
  readonly schema: number;
  readonly mayEdit: boolean;
  readonly at: Instant;
}

export const submitterOf = (batch: QueuedBatch, { access, at }: Pick<BuildContext, 'access' | 'at'>): Submitter => {
  const { clientId, principalId, schema } = batch.submission;
  return { clientId, principalId, schema, mayEdit: mayEdit(access, batch), at };
};

export interface GroupResult {
  readonly outcomes: readonly Outcome[];
  readonly committed: readonly Operation[];
  /** JSON of each committed operation. */
  readonly serialized: readonly string[];
  readonly bytes: number;
  readonly journal: RollbackJournal;
}

const withoutCommits = (outcomes: readonly Outcome[]): GroupResult => ({
  outcomes,
  committed: [],
  serialized: [],
  bytes: 0,
  journal: [],
});

const rejectGroup = (group: AtomicGroup, reason: OutcomeReason): GroupResult =>
  withoutCommits(group.map(({ opId }) => ({ opId, status: 'rejected', reason })));

/** Rejects the whole group if one of its operation ids is not allowed. */
const checkIds = (content: DocumentContent, group: AtomicGroup, submitter: Submitter): GroupResult | undefined => {
  const seen = new Set<OperationId>();
  const reasons = group.map((operation) => {
    const identity = checkOperationId(content.clients, operation, submitter);
    const isRepeated = seen.has(operation.opId);
    seen.add(operation.opId);
    if (identity.kind === 'refused') return identity.reason;
    return isRepeated ? 'id-taken' : undefined;
  });
  if (reasons.every((reason) => reason === undefined)) return undefined;
  return withoutCommits(
    group.map(({ opId }, index) => ({ opId, status: 'rejected', reason: reasons[index] ?? 'group-refused' })),
  );
};

const resolveContextOf = (content: DocumentContent, group: AtomicGroup, submitter: Submitter): ResolveContext => ({
  actorId: submitter.principalId,
  clientId: submitter.clientId,
  version: content.version + 1,
  schema: submitter.schema,
  inverse: (id: OperationId) => {
    const inverting = group.find(({ inverseOf }) => inverseOf === id);
    return inverting === undefined ? undefined : checkInverse(content.clients, inverting, submitter.principalId);
  },
  restorable: (id: OperationId) => content.clients.restorable.get(id) ?? [],
});

/** Outcome of an operation that was settled before. The id of another client's operation is refused, as if it were new. */
const settledOutcome = (content: DocumentContent, operation: Operation, submitter: Submitter): Outcome => {
  const { opId } = operation;
  const identity = checkOperationId(content.clients, operation, submitter);
  if (identity.kind === 'duplicate') {
    const { version } = identity;
    return { opId, status: 'duplicate', ...(version === undefined ? {} : { version }) };
  }
  // More ids than a document may have do not matter: the sequence proves that this one was settled.
  if (identity.kind === 'refused' && identity.reason !== 'too-many-ids')
    return { opId, status: 'rejected', reason: identity.reason };
  if (content.noOps.get(opId) === submitter.principalId) return { opId, status: 'dropped', reason: 'nothing-changes' };
  return { opId, status: 'duplicate' };
};

const inGroupOrder = (group: AtomicGroup, outcomes: readonly Outcome[]): readonly Outcome[] => {
  const byId = new Map(outcomes.map((outcome) => [outcome.opId, outcome]));
  return group.flatMap(({ opId }) => byId.get(opId) ?? []);
};

/** Serializes operations before they are applied, and admits the ones that fit. */
const createSizeCheck = (maxBytes: number) => {
  const serialized: string[] = [];
  let bytes = 0;
  return {
    serialized,
    bytes: () => bytes,
    isExceeded: () => bytes > maxBytes,
    admit: (operation: Operation): OutcomeReason | undefined => {
      const json = JSON.stringify(operation);
      serialized.push(json);
      bytes += Buffer.byteLength(json);
      return bytes > maxBytes ? 'too-large' : undefined;
    },
  };
};

/** Undefined if the group's operations have more bytes than `maxBytes`; then nothing is changed. */
const runGroup = (
  content: DocumentContent,
  group: AtomicGroup,
  { submitter, maxBytes }: { readonly submitter: Submitter; readonly maxBytes: number },
): GroupResult | undefined => {
  const isKnown = (operation: Operation): boolean =>
    checkOperationId(content.clients, operation, submitter).kind === 'duplicate';
  const known = group.filter(isKnown);
  const fresh = known.length === 0 ? group : group.filter((operation) => !isKnown(operation));
  const actual = fresh.map((operation) => ({ ...operation, actorId: submitter.principalId, createdAt: submitter.at }));
  const size = createSizeCheck(maxBytes);
  const context = { ...resolveContextOf(content, group, submitter), admit: size.admit };
  const { outcomes, committed, journal } = runBatch(content.scene, actual, context);
  if (size.isExceeded()) return undefined;
  const duplicates = known.map((operation) => settledOutcome(content, operation, submitter));
  const all = known.length === 0 ? outcomes : inGroupOrder(group, [...outcomes, ...duplicates]);
  // What was admitted is committed, unless the group failed.
  if (committed.length === 0) return withoutCommits(all);
  return { outcomes: all, committed, serialized: size.serialized, bytes: size.bytes(), journal };
};

export interface GroupLimits {
  readonly submitter: Submitter;
  /** Of an append: a group with more is rejected. */
  readonly maxBytes: number;
  /** What is left of this append. */
  readonly availableBytes: number;
}

/** Changes only the scene. Undefined, and nothing changed, if the group does not fit into what is left. */
export const resolveGroup = (
  content: DocumentContent,
  group: AtomicGroup,
  { submitter, maxBytes, availableBytes }: GroupLimits,
): GroupResult | undefined => {
  if (!submitter.mayEdit) return rejectGroup(group, 'forbidden');
  const refused = checkIds(content, group, submitter);
  if (refused !== undefined) return refused;
  const result = runGroup(content, group, { submitter, maxBytes: availableBytes });
  return result === undefined && availableBytes >= maxBytes ? rejectGroup(group, 'too-large') : result;
};

const lastSequenceOf = (group: AtomicGroup): number => group.at(-1)?.clientSeq ?? 0;

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

interface QueuedGroup {
  readonly batch: QueuedBatch;
  readonly group: AtomicGroup;
}

/** From here on, later batches see these operations. */
const addToPlan = (
  plan: AppendPlan,
  { owned }: BuildContext,
  { batch, group, result }: QueuedGroup & { readonly result: GroupResult },
): void => {
  const { content, sequences } = owned;
  const { clientId, principalId } = batch.submission;
  const fromVersion = content.version + 1;
  const lastClientSeq = lastSequenceOf(group);
  batch.results.push(...result.outcomes);
  recordNoOps(content, result.outcomes, principalId);
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
const planGroup = (plan: AppendPlan, build: BuildContext, { batch, group }: QueuedGroup): boolean => {
  const { content, deps, sequences } = build.owned;
  const { bytes: maxBytes, operations: maxOperations } = deps.settings.append;
  const settledTo = sequences.of(batch.submission.clientId)?.lastClientSeq ?? 0;
  if (lastSequenceOf(group) > settledTo && isRestore(group)) {
    if (plan.parts.length === 0) plan.restore = batch;
    return false;
  }
  const count = plan.parts.reduce((sum, { serialized }) => sum + serialized.length, 0);
  if (count > 0 && (count + group.length > maxOperations || plan.bytes >= maxBytes)) return false;
  // A retried group may begin with operations that are settled already. They only get their outcomes.
  const fresh = group.filter(({ clientSeq }) => clientSeq > settledTo);
  const submitter = submitterOf(batch, build);
  const limits = { submitter, maxBytes, availableBytes: maxBytes - plan.bytes };
  const result = resolveGroup(content, fresh, limits);
  if (result === undefined) return false;
  const settled = group.slice(0, group.length - fresh.length);
  batch.results.push(...settled.map((operation) => settledOutcome(content, operation, submitter)));
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

/** Whether a batch may be processed at all: the principal of its client id, and gaps in its sequence. */
const checkBatch = (
  owned: DocumentParts,
  { submission, processed }: QueuedBatch,
): Either<BatchRefusal, never> | undefined => {
  const { clientId, principalId, isOnce } = submission;
  const refusal =
    isOnce === true ? undefined : checkClientId(owned, { documentKey: owned.documentKey, principalId }, clientId);
  if (refusal !== undefined) return left(refusal);
  const expectedClientSeq = (owned.sequences.of(clientId)?.lastClientSeq ?? 0) + 1;
  if (processed > 0 || (submission.operations[0]?.clientSeq ?? 1) <= expectedClientSeq) return undefined;
  const detail = `The client’s next operation is number ${expectedClientSeq}.`;
  return left({ kind: 'rejection', code: 'client-seq-gap', detail, expectedClientSeq });
};

const planAppend = (build: BuildContext): AppendPlan => {
  const { owned, access, coversUpTo, isFresh } = build;
  const { queue } = owned;
  const plan = emptyAppendPlan();
  for (let batch = queue.first(); batch !== undefined; batch = queue.first()) {
    // The batch arrived after this reading began: access may have changed in between.
    if (batch.number > coversUpTo && !(isFresh && mayEdit(access, batch))) return plan;
    const refusal = checkBatch(owned, batch);
    if (refusal !== undefined) batch.answer(refusal);
    else if (planBatch(plan, build, batch)) plan.finished.push(batch);
    else return plan;
    queue.remove(batch);
  }
  return plan;
};

/**
 * If a rule throws, the scene is in an intermediate state: the document is closed, not the process. The batch that
 * caused it is rejected as malformed, so that clients do not resend it; the other batches are answered with a retryable
 * error.
 */
const planSafely = (build: BuildContext): AppendPlan | undefined => {
  const { owned } = build;
  const waited = owned.queue.all();
  try {
    return planAppend(build);
  } catch (error) {
    owned.deps.log.error({ ...owned.documentKey, error }, 'operations could not be applied');
    const culprit = owned.queue.first();
    culprit?.answer(left({ kind: 'rejection', code: 'malformed', detail: 'The batch is malformed.' }));
    if (culprit !== undefined) owned.queue.remove(culprit);
    for (const { answer } of waited) answer(retryLater('Nothing of it was committed; send it again.'));
    return undefined;
  }
};

const maxSnapshotBytesBesideBatches = 65_536;

/** A snapshot event that names many assets is large; with batches it could exceed the append limit. */
const needsOwnAppend = ({ snapshots }: DocumentParts): boolean => {
  const unrecorded = snapshots.unrecorded();
  return unrecorded !== undefined && Buffer.byteLength(JSON.stringify(unrecorded)) > maxSnapshotBytesBesideBatches;
};

/** Undefined if the scene can no longer be used. */
export const buildNextAppend = (build: BuildContext): AppendPlan | undefined =>
  needsOwnAppend(build.owned) ? emptyAppendPlan() : planSafely(build);
