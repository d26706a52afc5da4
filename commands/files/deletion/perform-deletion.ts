/** Performs the deletion of a file step by step. Each step is idempotent, and one that fails is tried again, later and later. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fileAccessRules } from '../../../domain/files/access/decider';
import { fileAccessStream } from '../../../domain/files/access/events';
import { placedFile } from '../../../domain/files/access/state';
import { type DeletionCommand, deletion } from '../../../domain/files/deletion/decider';
import { type DeletionStep, deletionStream } from '../../../domain/files/deletion/events';
import { type BegunDeletion, type DeletionState, nextDeletionStep } from '../../../domain/files/deletion/state';
import { file as fileRules } from '../../../domain/files/file/decider';
import { fileStream } from '../../../domain/files/file/events';
import type { DeletionJob } from '../../../domain/files/perform-deletion-on-hidden/process';
import { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import {
  again,
  type JobFailure,
  type JobRun,
  type PerformJob,
  type WorkerAdapters,
} from '../../kernel/work-queue/job-handler';
import { accountStorage } from '../storage/account-storage';
import { countIndexed } from './count-indexed';
import { causeOf, type DeletionRun, type StepCounts, type StepEnd } from './deletion-run';
import { destroyKey } from './destroy-key';
import { endProcessing, versionsOf } from './end-processing';
import type { DeletionMetrics } from './metrics';
import { countObjects, removeObjects, type StoredFile } from './remove-objects';

const storedFile = async (run: DeletionRun): Promise<Either<string, StoredFile>> => {
  const versions = await versionsOf(run);
  if (isLeft(versions)) return versions;
  return right({ tenant: run.tenant, fileId: run.job.payload.fileId, versions: versions.right });
};

const endAllProcessing = async (run: DeletionRun): StepEnd => {
  const ended = await endProcessing(run);
  return isLeft(ended) ? ended : right({ removed: ended.right.ingestions, left: ended.right.running });
};

const emptyIndex = async (run: DeletionRun): StepEnd => {
  const ended = await endProcessing(run);
  if (isLeft(ended)) return ended;
  const indexed = await countIndexed(run, ended.right.position);
  return isLeft(indexed) ? indexed : right({ removed: ended.right.chunks, left: indexed.right });
};

const eraseObjects = async (run: DeletionRun): StepEnd => {
  const stored = await storedFile(run);
  if (isLeft(stored)) return stored;
  const removed = await removeObjects(run.deps.blobs, stored.right);
  if (isLeft(removed)) return removed;
  const remaining = await countObjects(run.deps.blobs, stored.right);
  return isLeft(remaining) ? remaining : right({ removed: removed.right, left: remaining.right });
};

const forgetNames = async (run: DeletionRun, { cause }: BegunDeletion): StepEnd => {
  const destroyed = await destroyKey(run, cause);
  return isLeft(destroyed) ? destroyed : right({ removed: destroyed.right.keys, left: destroyed.right.left });
};

/** Does all of it again, which removes what came meanwhile, and then counts in every store. */
const prove = async (run: DeletionRun, state: BegunDeletion): StepEnd => {
  const ended = await endProcessing(run);
  if (isLeft(ended)) return ended;
  const objects = await eraseObjects(run);
  if (isLeft(objects)) return objects;
  const destroyed = await destroyKey(run, state.cause);
  if (isLeft(destroyed)) return destroyed;
  const { position, left: keys } = destroyed.right;
  const indexed = await countIndexed(run, position > ended.right.position ? position : ended.right.position);
  if (isLeft(indexed)) return indexed;
  return right({
    removed: objects.right.removed,
    left: ended.right.running + objects.right.left + keys + indexed.right,
  });
};

const steps: { readonly [step in DeletionStep]: (run: DeletionRun, state: BegunDeletion) => StepEnd } = {
  processing: endAllProcessing,
  index: emptyIndex,
  objects: eraseObjects,
  key: forgetNames,
  proof: prove,
};

/** Before the deletion is complete, so that a deleted file counts no more. */
const releaseStorage = async (run: DeletionRun): Promise<Either<string, void>> => {
  const { deps, tenant, job } = run;
  const { fileId } = job.payload;
  const file = await loadStream(deps, fileRules, fileStream(tenant, fileId));
  if (isLeft(file)) return left(file.left.detail);
  const versions = file.right.kind === 'none' ? [] : file.right.versions;
  const uploaded = versions
    .filter(({ upload }) => typeof upload === 'object')
    .map(({ versionId, sizeBytes: bytes }) => ({ versionId, bytes }));
  const released = await accountStorage(deps, tenant, {
    command: { type: 'ReleaseFile', fileId, uploaded },
    ...causeOf(run),
    commandId: derivedId('files-storage', tenant, fileId, 'released'),
  });
  return isLeft(released) ? left(released.left.detail) : right(undefined);
};

const send = (run: DeletionRun, command: DeletionCommand) =>
  handle(run.deps, deletion, {
    stream: deletionStream(run.tenant, run.job.payload.fileId),
    command,
    ...causeOf(run, command.type, 'step' in command ? command.step : ''),
  });

const loadDeletion = ({ deps, tenant, job }: DeletionRun) =>
  loadStream(deps, deletion, deletionStream(tenant, job.payload.fileId));

/** Its owner is the one that the file had when it was deleted. */
const begin = async (run: DeletionRun): Promise<Either<JobFailure, DeletionState>> => {
  const { deps, tenant, job } = run;
  const { fileId, cause } = job.payload;
  const [file, access] = await Promise.all([
    loadStream(deps, fileRules, fileStream(tenant, fileId)),
    loadStream(deps, fileAccessRules, fileAccessStream(tenant)),
  ]);
  if (isLeft(file)) return again(file.left.detail);
  if (isLeft(access)) return again(access.left.detail);
  if (file.right.kind === 'none') return left({ kind: 'permanent', reason: 'There is no such file.' });
  const { ownerId, hidden } = placedFile(access.right, file.right);
  if (!hidden.includes('deleted')) return left({ kind: 'permanent', reason: 'The file is not to be deleted.' });
  const begun = await send(run, { type: 'BeginDeletion', fileId, ownerId, cause, at: deps.clock.now() });
  if (isLeft(begun)) return again(begun.left.detail);
  const state = await loadDeletion(run);
  return isLeft(state) ? again(state.left.detail) : state;
};

const countsOf = async (run: DeletionRun, step: DeletionStep, state: BegunDeletion): StepEnd => {
  if (step === 'proof') {
    const released = await releaseStorage(run);
    if (isLeft(released)) return released;
  }
  const ended = await steps[step](run, state);
  if (isLeft(ended) || ended.right.left === 0) return ended;
  return left(`${ended.right.left} are left of the step ${step}.`);
};

const record = async (
  run: DeletionRun,
  step: DeletionStep,
  ended: Either<string, StepCounts>,
): Promise<Either<JobFailure, undefined>> => {
  const { fileId } = run.job.payload;
  if (isLeft(ended)) {
    const reason = ended.left.slice(0, 300);
    // What cannot be recorded is still tried again.
    await send(run, { type: 'DelayDeletionStep', fileId, step, reason, attempt: run.job.attempt });
    return again(reason);
  }
  const completed = await send(run, {
    type: 'CompleteDeletionStep',
    ...{ fileId, step, ...ended.right, at: run.deps.clock.now() },
  });
  return isLeft(completed) ? again(completed.left.detail) : right(undefined);
};

const performSteps = async (
  run: DeletionRun,
  { checkpoint, reportProgress }: Pick<JobRun, 'checkpoint' | 'reportProgress'>,
  begun: BegunDeletion,
): Promise<Either<JobFailure, undefined>> => {
  for (let state: DeletionState = begun; state.kind === 'deleting'; ) {
    const step = nextDeletionStep(state);
    if (step === undefined) return right(undefined);
    if (run.signal.aborted) return again('It was ended.');
    reportProgress({ fraction: state.completed.length / Object.keys(steps).length, detail: 'The file is deleted.' });
    const recorded = await record(run, step, await countsOf(run, step, state));
    if (isLeft(recorded)) return recorded;
    await checkpoint();
    const next = await loadDeletion(run);
    if (isLeft(next)) return again(next.left.detail);
    state = next.right;
  }
  return right(undefined);
};

/** Bytes that were sent to an address that was still valid, and what a late worker stored. */
const removeRemains = async (run: DeletionRun, state: BegunDeletion): Promise<Either<JobFailure, undefined>> => {
  const proven = await prove(run, state);
  if (isLeft(proven)) return again(proven.left);
  const { removed, left: remaining } = proven.right;
  const { fileId } = run.job.payload;
  const recorded = await send(run, { type: 'RecordRemains', fileId, removed });
  if (isLeft(recorded)) return again(recorded.left.detail);
  return remaining > 0 ? again(`${remaining} are left of a deleted file.`) : right(undefined);
};

export const performDeletion =
  (deps: WorkerAdapters, metrics: DeletionMetrics): PerformJob<DeletionJob> =>
  async (job, jobRun) => {
    const { tenant } = job;
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const run: DeletionRun = { deps, tenant, job, signal: jobRun.signal };
    const known = await loadDeletion(run);
    if (isLeft(known)) return again(known.left.detail);
    const begun = known.right.kind === 'none' ? await begin(run) : known;
    if (isLeft(begun)) return begun;
    const state = begun.right;
    if (state.kind === 'none') return again('The deletion could not be begun.');
    const performed =
      state.kind === 'deleted' ? await removeRemains(run, state) : await performSteps(run, jobRun, state);
    metrics.ended(run, state, performed);
    if (!isLeft(performed)) return right([]);
    // A deletion is given up by no count of attempts, so it is no dead letter.
    if (jobRun.isLastAttempt()) await jobRun.checkpoint();
    return performed;
  };
