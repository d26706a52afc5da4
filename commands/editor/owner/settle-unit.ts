/** What becomes of operations that take effect together: their outcomes, and what is to be committed of them. */
import type { ClientId, OperationId } from '../../../domain/editor/ids';
import { identityOf, inverseFault } from '../../../domain/editor/log/clients';
import type { Operation } from '../../../domain/editor/operation';
import type { Outcome, OutcomeReason } from '../../../domain/editor/outcome';
import { runBatch } from '../../../domain/editor/scene/batch';
import { type Journal, takeBack } from '../../../domain/editor/scene/journal';
import type { ResolveContext } from '../../../domain/editor/scene/resolve/context';
import type { Instant } from '../../../domain/kernel/codec';
import type { Content } from './content';
import type { Unit } from './units';

export interface Submitter {
  readonly clientId: ClientId;
  readonly principalId: string;
  readonly schema: number;
  readonly mayEdit: boolean;
  readonly at: Instant;
}

export interface Settled {
  readonly outcomes: readonly Outcome[];
  readonly committed: readonly Operation[];
  /** The JSON of each. */
  readonly told: readonly string[];
  readonly bytes: number;
  readonly journal: Journal;
}

const nothing = (outcomes: readonly Outcome[]): Settled => ({
  outcomes,
  committed: [],
  told: [],
  bytes: 0,
  journal: [],
});

const rejectedAll = (unit: Unit, reason: OutcomeReason): Settled =>
  nothing(unit.map(({ opId }) => ({ opId, status: 'rejected', reason })));

/** Why ids alone speak against it: where one of a group is refused, all are. */
const refusedByIds = (content: Content, unit: Unit, who: Submitter): Settled | undefined => {
  const said = new Set<OperationId>();
  const reasons = unit.map((operation) => {
    const identity = identityOf(content.clients, operation, who);
    const isRepeated = said.has(operation.opId);
    said.add(operation.opId);
    if (identity.kind === 'refused') return identity.reason;
    return isRepeated ? 'id-taken' : undefined;
  });
  if (reasons.every((reason) => reason === undefined)) return undefined;
  return nothing(
    unit.map(({ opId }, index) => ({ opId, status: 'rejected', reason: reasons[index] ?? 'group-refused' })),
  );
};

const contextOf = (content: Content, unit: Unit, who: Submitter): ResolveContext => ({
  actorId: who.principalId,
  clientId: who.clientId,
  version: content.version + 1,
  schema: who.schema,
  inverse: (id: OperationId) => {
    const inverting = unit.find(({ inverseOf }) => inverseOf === id);
    return inverting === undefined ? undefined : inverseFault(content.clients, inverting, who.principalId);
  },
  restorable: (id: OperationId) => content.clients.restorable.get(id) ?? [],
});

const duplicateOf = (content: Content, { opId }: Operation): Outcome => {
  if (content.needless.has(opId)) return { opId, status: 'dropped', reason: 'nothing-changes' };
  const version = content.clients.recent.get(opId)?.version;
  return { opId, status: 'duplicate', ...(version === undefined ? {} : { version }) };
};

/** Operations that were settled before, however they came again. */
export const repeated = (content: Content, operations: readonly Operation[]): readonly Outcome[] =>
  operations.map((operation) => duplicateOf(content, operation));

const inOrderOf = (unit: Unit, outcomes: readonly Outcome[]): readonly Outcome[] => {
  const byId = new Map(outcomes.map((outcome) => [outcome.opId, outcome]));
  return unit.flatMap(({ opId }) => byId.get(opId) ?? []);
};

const run = (content: Content, unit: Unit, who: Submitter): Settled => {
  const isKnown = (operation: Operation): boolean => identityOf(content.clients, operation, who).kind === 'duplicate';
  const known = unit.filter(isKnown);
  const fresh = known.length === 0 ? unit : unit.filter((operation) => !isKnown(operation));
  const actual = fresh.map((operation) => ({ ...operation, actorId: who.principalId, createdAt: who.at }));
  const { outcomes, committed, journal } = runBatch(content.scene, actual, contextOf(content, unit, who));
  const told = committed.map((operation) => JSON.stringify(operation));
  const bytes = told.reduce((sum, json) => sum + Buffer.byteLength(json), 0);
  const all = known.length === 0 ? outcomes : inOrderOf(unit, [...outcomes, ...repeated(content, known)]);
  return { outcomes: all, committed, told, bytes, journal };
};

/** The scene has it afterwards; nothing else does. `mostBytes` is what an append can take at all. */
export const settleUnit = (content: Content, unit: Unit, [who, mostBytes]: [Submitter, number]): Settled => {
  if (!who.mayEdit) return rejectedAll(unit, 'forbidden');
  const refused = refusedByIds(content, unit, who);
  if (refused !== undefined) return refused;
  const settled = run(content, unit, who);
  if (settled.bytes <= mostBytes) return settled;
  takeBack(content.scene, settled.journal);
  return rejectedAll(unit, 'too-large');
};
