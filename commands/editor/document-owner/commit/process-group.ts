/** Processes one atomic group: checks ids, runs the reducer, and returns outcomes and operations to commit. */
import type { ClientId, OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { checkInverse, checkOperationId } from '../../../../domain/editor/operation-log/client-table';
import type { Outcome, OutcomeReason } from '../../../../domain/editor/outcome';
import type { AtomicGroup } from '../../../../domain/editor/reducer/atomic-groups';
import { runBatch } from '../../../../domain/editor/reducer/batch';
import type { ResolveContext } from '../../../../domain/editor/reducer/resolution';
import { type RollbackJournal, rollBack } from '../../../../domain/editor/reducer/rollback-journal';
import type { Instant } from '../../../../domain/kernel/codec';
import type { DocumentContent } from '../document-content';

export interface Submitter {
  readonly clientId: ClientId;
  readonly principalId: string;
  readonly schema: number;
  readonly mayEdit: boolean;
  readonly at: Instant;
}

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

const duplicateOutcome = (content: DocumentContent, { opId }: Operation): Outcome => {
  if (content.noOps.has(opId)) return { opId, status: 'dropped', reason: 'nothing-changes' };
  const version = content.clients.recent.get(opId)?.version;
  return { opId, status: 'duplicate', ...(version === undefined ? {} : { version }) };
};

/** Outcomes of operations that were settled before. */
export const duplicateOutcomes = (content: DocumentContent, operations: readonly Operation[]): readonly Outcome[] =>
  operations.map((operation) => duplicateOutcome(content, operation));

const inGroupOrder = (group: AtomicGroup, outcomes: readonly Outcome[]): readonly Outcome[] => {
  const byId = new Map(outcomes.map((outcome) => [outcome.opId, outcome]));
  return group.flatMap(({ opId }) => byId.get(opId) ?? []);
};

const runGroup = (content: DocumentContent, group: AtomicGroup, submitter: Submitter): GroupResult => {
  const isKnown = (operation: Operation): boolean =>
    checkOperationId(content.clients, operation, submitter).kind === 'duplicate';
  const known = group.filter(isKnown);
  const fresh = known.length === 0 ? group : group.filter((operation) => !isKnown(operation));
  const actual = fresh.map((operation) => ({ ...operation, actorId: submitter.principalId, createdAt: submitter.at }));
  const { outcomes, committed, journal } = runBatch(content.scene, actual, resolveContextOf(content, group, submitter));
  const serialized = committed.map((operation) => JSON.stringify(operation));
  const bytes = serialized.reduce((sum, json) => sum + Buffer.byteLength(json), 0);
  const all = known.length === 0 ? outcomes : inGroupOrder(group, [...outcomes, ...duplicateOutcomes(content, known)]);
  return { outcomes: all, committed, serialized, bytes, journal };
};

/** Changes only the scene. `maxBytes`: the largest append. */
export const processGroup = (
  content: DocumentContent,
  group: AtomicGroup,
  { submitter, maxBytes }: { readonly submitter: Submitter; readonly maxBytes: number },
): GroupResult => {
  if (!submitter.mayEdit) return rejectGroup(group, 'forbidden');
  const refused = checkIds(content, group, submitter);
  if (refused !== undefined) return refused;
  const result = runGroup(content, group, submitter);
  if (result.bytes <= maxBytes) return result;
  rollBack(content.scene, result.journal);
  return rejectGroup(group, 'too-large');
};
