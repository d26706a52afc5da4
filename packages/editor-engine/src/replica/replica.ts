/**
 * The committed scene with pending operations on top (optimistic replica). When other operations are committed, the
 * pending ones are rolled back and rebased on top of them.
 */

import type { OperationId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import type { Outcome } from '../../../../domain/editor/outcome';
import { apply } from '../../../../domain/editor/reducer/apply';
import { runBatch } from '../../../../domain/editor/reducer/batch';
import { type RollbackJournal, rollBack } from '../../../../domain/editor/reducer/rollback-journal';
import { iterateNodes, type Scene, type SceneNode } from '../../../../domain/editor/scene/scene';
import type { VersionStamp } from '../ports/document-store';
import type { ChangeTracker } from './change-tracker';
import { groupPending, type PendingOperation } from './pending-operation';

/** Rolls all pending operations back, runs `work`, and resolves the remaining ones again. */
const withoutPending = (replica: Replica, work: () => void, isLeft: (item: PendingOperation) => boolean): void => {
  const { groups } = replica;
  for (const unit of groups.toReversed()) undoGroup(replica, unit);
  replica.groups = [];
  work();
  const left = groups.flatMap(({ items }) => items).filter(isLeft);
  for (const items of groupPending(left)) replica.groups.push(resolveGroup(replica, items).unit);
};

export const pendingOperations = ({ groups }: Replica): readonly PendingOperation[] =>
  groups.flatMap(({ items }) => items);

/** Removes pending operations that were not committed. */
export const removeFromReplica = (replica: Replica, gone: ReadonlySet<PendingOperation>): void => {
  if (gone.size > 0)
    withoutPending(
      replica,
      () => undefined,
      (item) => !gone.has(item),
    );
};

const isSameOperation = (one: Operation, other: Operation | undefined): boolean =>
  other !== undefined &&
  one.opId === other.opId &&
  one.type === other.type &&
  JSON.stringify([one.targetIds, one.payload]) === JSON.stringify([other.targetIds, other.payload]);

/** Shifts pending groups that were committed exactly as they stand; they need no rebase. */
const shiftConfirmed = (replica: Replica, operations: readonly Operation[]): number => {
  const { groups } = replica;
  let count = 0;
  while (count < operations.length) {
    const [first] = groups;
    if (first === undefined || first.committed.length === 0 || first.version !== replica.version + 1) break;
    if (first.committed.length !== first.items.length) break;
    const at = count;
    if (!first.committed.every((one, index) => isSameOperation(one, operations[at + index]))) break;
    groups.shift();
    replica.version += first.committed.length;
    count += first.committed.length;
  }
  return count;
};

/** Applies committed operations from the next version on. */
export const rebaseOnto = (replica: Replica, operations: readonly Operation[]): void => {
  replica.opId = operations.at(-1)?.opId ?? replica.opId;
  const rest = operations.slice(shiftConfirmed(replica, operations));
  if (rest.length === 0) return;
  const committed = new Set(rest.map(({ opId }) => opId));
  const applyRest = (): void => {
    for (const operation of rest) {
      replica.version += 1;
      replica.changes.note(apply(replica.scene, operation, replica.version));
    }
  };
  withoutPending(replica, applyRest, ({ operation }) => !committed.has(operation.opId));
};

/** Replaces the committed scene. */
export const replaceCommittedScene = (replica: Replica, scene: Scene, { version, opId }: VersionStamp): void => {
  const work = (): void => {
    Object.assign(replica, { scene, version, opId });
    replica.changes.noteAll();
  };
  withoutPending(replica, work, () => true);
};

/** Adds pending operations from the store. */
export const restorePending = (replica: Replica, items: readonly PendingOperation[]): void => {
  for (const group of groupPending(items)) replica.groups.push(resolveGroup(replica, group).unit);
};

/** The committed nodes. They are immutable, so they can be used later. */
export const committedNodes = (replica: Replica): readonly SceneNode[] => {
  let nodes: readonly SceneNode[] = [];
  const look = (): void => {
    nodes = [...iterateNodes(replica.scene)];
  };
  if (replica.groups.length === 0) look();
  else withoutPending(replica, look, () => true);
  return nodes;
};

/** One operation or an atomic group, as resolved on the current scene. */
export interface PendingGroup {
  readonly items: readonly PendingOperation[];
  /** Version that its first operation would get. */
  readonly version: number;
  readonly committed: readonly Operation[];
  readonly journals: readonly RollbackJournal[];
}

export interface Replica {
  scene: Scene;
  /** The committed version. */
  version: number;
  /** The operation that made the committed version; undefined if unknown. */
  opId: OperationId | undefined;
  groups: PendingGroup[];
  /** Negotiated schema version; newer features are rejected. */
  schema: number;
  readonly actorId: string;
  readonly changes: ChangeTracker;
}

const nextVersion = ({ version, groups }: Replica): number => {
  const last = groups.at(-1);
  return last === undefined ? version + 1 : last.version + last.committed.length;
};

const resolveGroup = (
  replica: Replica,
  items: readonly PendingOperation[],
): { unit: PendingGroup; outcomes: readonly Outcome[] } => {
  const { scene, schema, actorId, changes } = replica;
  const version = nextVersion(replica);
  const clientId = items[0]?.clientId as PendingOperation['clientId'];
  const operations = items.map(({ operation }) => operation);
  const { outcomes, committed, journal } = runBatch(scene, operations, { actorId, clientId, version, schema });
  changes.note(journal);
  return { unit: { items, version, committed, journals: [journal] }, outcomes };
};

const undoGroup = ({ scene, changes }: Replica, group: PendingGroup): void => {
  for (const journal of group.journals.toReversed()) {
    changes.noteBack(scene, journal);
    rollBack(scene, journal);
  }
};

export interface PushResult {
  readonly outcomes: readonly Outcome[];
  readonly committed: readonly Operation[];
  readonly journals: readonly RollbackJournal[];
}

/** Resolves an operation on top; rolls it back unless all outcomes are wanted. */
export const pushPending = (
  replica: Replica,
  item: PendingOperation,
  isWanted: (outcome: Outcome) => boolean,
): PushResult => {
  const { unit, outcomes } = resolveGroup(replica, [item]);
  if (outcomes.every(isWanted)) replica.groups.push(unit);
  else undoGroup(replica, unit);
  return { outcomes, committed: unit.committed, journals: unit.journals };
};

/** Replaces the last operation, or restores it if the new one is not wanted. */
export const replaceLastPending = (
  replica: Replica,
  item: PendingOperation,
  isWanted: (outcome: Outcome) => boolean,
): PushResult => {
  const last = replica.groups.pop();
  if (last !== undefined) undoGroup(replica, last);
  const placed = pushPending(replica, item, isWanted);
  const isPlaced = replica.groups.at(-1)?.items[0] === item;
  if (!isPlaced && last !== undefined) replica.groups.push(resolveGroup(replica, last.items).unit);
  return placed;
};

/** Combines the last operations into one atomic group. */
export const groupLastPending = (replica: Replica, count: number): void => {
  if (count < 2) return;
  const bound = replica.groups.splice(-count);
  replica.groups.push({
    items: bound.flatMap(({ items }) => items),
    version: bound[0]?.version ?? replica.version + 1,
    committed: bound.flatMap(({ committed }) => committed),
    journals: bound.flatMap(({ journals }) => journals),
  });
};

/** Rolls the last operations back. */
export const popPending = (replica: Replica, count: number): void => {
  if (count === 0) return;
  for (const group of replica.groups.splice(-count).toReversed()) undoGroup(replica, group);
};
