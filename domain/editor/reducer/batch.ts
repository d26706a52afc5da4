/** Resolves and applies a batch in order. An atomic group is committed completely or not at all. */
import { limits } from '../limits';
import type { Operation } from '../operation';
import type { Outcome, OutcomeReason } from '../outcome';
import type { Scene } from '../scene/scene';
import { apply } from './apply';
import { groupAtomic } from './atomic-groups';
import { rejected } from './resolution';
import { type Resolution, type ResolveContext, resolve } from './resolve';
import { type BeforeImage, rollBack } from './rollback-journal';

export interface BatchResult {
  /** One per operation, in order. */
  readonly outcomes: readonly Outcome[];
  readonly committed: readonly Operation[];
  readonly journal: readonly BeforeImage[];
}

interface BatchRun {
  readonly scene: Scene;
  readonly context: ResolveContext;
  readonly outcomes: Outcome[];
  readonly committed: Operation[];
  readonly journal: BeforeImage[];
}

const outcomeOf = ({ opId }: Operation, resolution: Resolution, version: number): Outcome => {
  if (!('operation' in resolution)) return { opId, status: resolution.status, reason: resolution.reason };
  const { status, reason, operation } = resolution;
  if (status === 'applied') return { opId, status, version };
  return { opId, status, version, op: operation, ...(reason === undefined ? {} : { reason }) };
};

const resolveAdmitted = (scene: Scene, operation: Operation, context: ResolveContext): Resolution => {
  const resolution = resolve(scene, operation, context);
  const refusal = 'operation' in resolution ? context.admit?.(resolution.operation) : undefined;
  return refusal === undefined ? resolution : rejected(refusal);
};

const runOne = (running: BatchRun, operation: Operation): Outcome => {
  const { scene, context, committed, journal, outcomes } = running;
  const version = context.version + committed.length;
  const resolution = resolveAdmitted(scene, operation, { ...context, version });
  const before = scene.bytes;
  const replaced = 'operation' in resolution ? apply(scene, resolution.operation, version) : [];
  const isTooMuch = scene.bytes > limits.documentBytes && scene.bytes > before;
  if (isTooMuch) rollBack(scene, replaced);
  else for (const one of replaced) journal.push(one);
  if ('operation' in resolution && !isTooMuch) committed.push(resolution.operation);
  const outcome = outcomeOf(operation, isTooMuch ? rejected('too-large') : resolution, version);
  outcomes.push(outcome);
  return outcome;
};

/** A no-op does not fail the group. */
const isUnfulfilled = ({ status, reason }: Outcome): boolean =>
  status === 'rejected' || (status === 'dropped' && reason !== 'nothing-changes');

const groupRefused = ({ opId }: Operation): Outcome => {
  const reason: OutcomeReason = 'group-refused';
  return { opId, status: 'rejected', reason };
};

const runGroup = (running: BatchRun, group: readonly Operation[]): void => {
  const start = {
    outcomes: running.outcomes.length,
    committed: running.committed.length,
    journal: running.journal.length,
  };
  for (const [index, operation] of group.entries()) {
    const outcome = runOne(running, operation);
    if (!isUnfulfilled(outcome)) continue;
    rollBack(running.scene, running.journal.splice(start.journal));
    running.committed.splice(start.committed);
    running.outcomes.splice(start.outcomes);
    running.outcomes.push(...group.map((other, place) => (place === index ? outcome : groupRefused(other))));
    return;
  }
};

/** `context.version` is the version of the first committed operation. */
export const runBatch = (scene: Scene, operations: readonly Operation[], context: ResolveContext): BatchResult => {
  const running: BatchRun = { scene, context, outcomes: [], committed: [], journal: [] };
  for (const group of groupAtomic(operations)) {
    const [only] = group;
    if (group.length === 1 && only !== undefined) runOne(running, only);
    else runGroup(running, group);
  }
  return running;
};
