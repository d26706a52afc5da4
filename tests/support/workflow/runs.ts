/** A small run, its commands, and what must hold of every history of one. */
import * as fc from 'fast-check';
import { isLeft, isRight } from 'fp-ts/Either';
import { fold } from '../../../domain/kernel/decider';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { JobId, RunnerId } from '../../../domain/workflow/ids';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import { run } from '../../../domain/workflow/run/decider';
import { type DataOf, type JobNode, type RunEvent, runs } from '../../../domain/workflow/run/events';
import type { Run, RunState } from '../../../domain/workflow/run/state';
import { historyOf } from '../domain/event-history';

const recorded = <Type extends RunEvent['type']>(type: Type): DataOf<Type> => {
  const line = historyOf('workflow').find((one) => one.type === `workflow.${type}.v1`);
  const event = runs.decode(line?.type ?? '', line?.data);
  if (isLeft(event)) throw new Error(`The history has no readable ${type}.`);
  return event.right.data as DataOf<Type>;
};

const { runId } = recorded('RunRequested');
export const by = 'person-1' as PrincipalId;
const runnerOne = 'runner-1' as RunnerId;
export const runnerTwo = 'runner-2' as RunnerId;
export const jobId = (id: string): JobId => id as JobId;

export const node = (id: string, more: Partial<JobNode> = {}): JobNode => ({
  jobId: jobId(id),
  key: id,
  name: id,
  needs: [],
  condition: null,
  labels: ['linux'],
  timeoutMinutes: 60,
  continueOnError: false,
  failFast: false,
  maxParallel: null,
  lostRetries: 1,
  cancelGraceSeconds: 300,
  ...more,
});

const graph = ({ graphKey, graphDigest, parser } = recorded('RunResolved')) => ({ graphKey, graphDigest, parser });

export const request: RunCommand = { type: 'RequestRun', ...recorded('RunRequested') };
export const resolve = (jobs: readonly JobNode[], planned: DataOf<'RunResolved'>['planned'] = []): RunCommand => ({
  type: 'ResolveRun',
  runId,
  ...graph(),
  jobs,
  planned,
});
export const refuse: RunCommand = { type: 'RefuseDefinition', ...recorded('RunNotResolved'), runId };
export const refuseRun: RunCommand = { type: 'RefuseRun', runId, reason: 'quota_exceeded' };
export const planJobs = (key: string, jobs: readonly JobNode[]): RunCommand => {
  const { graphKey, graphDigest } = graph();
  return { type: 'PlanJobs', runId, key, graphKey, graphDigest, jobs };
};
export const admit = (queued: readonly string[], skipped: readonly string[] = []): RunCommand => ({
  type: 'AdmitJobs',
  runId,
  queued: queued.map(jobId),
  skipped: skipped.map((id) => ({ jobId: jobId(id), reason: 'Its condition does not hold.' })),
});
export const assign = (id: string, epoch: number, { runnerId = runnerOne, attempt = 1 } = {}): RunCommand => ({
  type: 'AssignJob',
  runId,
  jobId: jobId(id),
  attempt,
  epoch,
  runnerId,
  runnerType: 'managed',
});
export const start = (id: string, epoch: number, runnerId = runnerOne): RunCommand => ({
  type: 'StartJob',
  runId,
  jobId: jobId(id),
  epoch,
  runnerId,
});
export const complete = (
  id: string,
  epoch: number,
  result: DataOf<'JobCompleted'>['result'] = 'success',
  runnerId = runnerOne,
): RunCommand => ({
  type: 'CompleteJob',
  runId,
  jobId: jobId(id),
  epoch,
  runnerId,
  result,
  reason: null,
  outputs: {},
  steps: [],
  annotations: [],
  summary: null,
  logChunks: 0,
});
export const lose = (id: string, epoch: number): RunCommand => ({
  type: 'LoseJob',
  runId,
  jobId: jobId(id),
  epoch,
  reason: 'The lease ended.',
});
export const expireClaim = (id: string, epoch: number): RunCommand => ({
  type: 'ExpireClaim',
  runId,
  jobId: jobId(id),
  epoch,
});
export const timeJobOut = (id: string, epoch: number): RunCommand => ({
  type: 'TimeJobOut',
  runId,
  jobId: jobId(id),
  epoch,
});
export const cancel: RunCommand = { type: 'CancelRun', runId, by, isForced: false };
export const endCanceled = (...ids: readonly string[]): RunCommand => ({
  type: 'EndCanceledJobs',
  runId,
  jobIds: ids.map(jobId),
});
export const timeRunOut: RunCommand = { type: 'TimeRunOut', runId };
export const failQueued = (id: string): RunCommand => ({
  type: 'FailQueuedJob',
  runId,
  jobId: jobId(id),
  reason: 'No runner for 24 hours.',
});
export const retry = (mode: 'all' | 'failed' | 'job', id: string | null = null): RunCommand => ({
  type: 'RetryRun',
  runId,
  by,
  mode,
  jobId: id === null ? null : jobId(id),
});

export const historyAfter = (commands: readonly RunCommand[]): readonly RunEvent[] => {
  const history: RunEvent[] = [];
  let state: RunState = run.initial;
  for (const command of commands) {
    const decided = run.decide(command, state);
    if (!isRight(decided)) continue;
    history.push(...decided.right);
    state = fold(run, state, decided.right);
  }
  return history;
};

export const stateAfter = (...commands: readonly RunCommand[]): Run => {
  const state = fold(run, run.initial, historyAfter(commands));
  if (state.kind === 'none') throw new Error('there is no run');
  return state;
};

const ids = ['build', 'test-a', 'test-b', 'deploy'] as const;
const graphOfFour: readonly JobNode[] = [
  node('build'),
  node('test-a', { key: 'test', needs: ['build'], failFast: true }),
  node('test-b', { key: 'test', needs: ['build'], failFast: true, lostRetries: 0 }),
  node('deploy', { needs: ['test'], continueOnError: true }),
];

const epochs = fc.integer({ min: 1, max: 6 });
const jobs = fc.constantFrom(...ids);
const runnerIds = fc.constantFrom(runnerOne, runnerTwo);
const assignments = fc
  .record({ id: jobs, epoch: epochs, attempt: fc.constantFrom(1, 1, 2, 3), runnerId: runnerIds })
  .map(({ id, epoch, ...more }) => assign(id, epoch, more));

/** Of a run with four jobs, two of them one matrix; often out of place. */
export const runCommands: fc.Arbitrary<RunCommand> = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(request, refuse, refuseRun, cancel, timeRunOut, endCanceled(...ids)) },
  { weight: 3, arbitrary: fc.constant(resolve(graphOfFour)) },
  { weight: 4, arbitrary: fc.subarray([...ids]).map((some) => admit(some)) },
  { weight: 1, arbitrary: fc.subarray([...ids]).map((some) => admit([], some)) },
  { weight: 6, arbitrary: assignments },
  { weight: 2, arbitrary: fc.tuple(jobs, epochs, runnerIds).map(([id, epoch, runner]) => start(id, epoch, runner)) },
  {
    weight: 6,
    arbitrary: fc
      .tuple(jobs, epochs, fc.constantFrom('success', 'failure', 'canceled'), runnerIds)
      .map(([id, epoch, result, runner]) => complete(id, epoch, result, runner)),
  },
  { weight: 2, arbitrary: fc.tuple(jobs, epochs).map(([id, epoch]) => lose(id, epoch)) },
  { weight: 1, arbitrary: fc.tuple(jobs, epochs).map(([id, epoch]) => timeJobOut(id, epoch)) },
  { weight: 1, arbitrary: fc.tuple(jobs, epochs).map(([id, epoch]) => expireClaim(id, epoch)) },
  { weight: 1, arbitrary: jobs.map(failQueued) },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('all', 'failed', 'job'), jobs).map(([mode, id]) => retry(mode, id)),
  },
);

/** Begins resolved, so that most of what follows has an effect. */
export const runHistories: fc.Arbitrary<readonly RunEvent[]> = fc
  .array(runCommands, { minLength: 1, maxLength: 40 })
  .map((commands) => historyAfter([request, resolve(graphOfFour), admit(['build']), ...commands]));

/** What a history must not hold, in the order in which it was recorded. Empty when it is right. */
export const brokenRunRules = (history: readonly RunEvent[]): readonly string[] => {
  const broken: string[] = [];
  const epochOf = new Map<JobId, number>();
  const endOf = new Map<JobId, number>();
  /** Epochs of jobs that a runner has. */
  const leases = new Map<JobId, number>();
  const canceled = new Set<JobId>();
  let [isEnding, isCompleted] = [false, false];
  for (const event of history) {
    if (isCompleted && event.type !== 'RunRetried') broken.push(`${event.type} after the end of the run`);
    if (event.type === 'RunCancelRequested' || event.type === 'RunTimedOut') isEnding = true;
    if (event.type === 'RunRetried') [isEnding, isCompleted] = [false, false];
    if (event.type === 'RunRetried') canceled.clear();
    if (event.type === 'JobsCancelRequested') for (const id of event.data.jobIds) canceled.add(id);
    if (event.type === 'RunCompleted') isCompleted = true;
    if (isEnding && ['JobAssigned', 'JobsQueued', 'JobRequeued', 'JobsPlanned'].includes(event.type))
      broken.push(`${event.type} after a cancel`);
    if (event.type === 'JobAssigned') {
      const { jobId: id, attempt, epoch } = event.data;
      if (epoch <= (epochOf.get(id) ?? 0)) broken.push(`an epoch of ${id} that does not rise`);
      if (leases.has(id)) broken.push(`${id} assigned while a runner has it`);
      if (attempt <= (endOf.get(id) ?? 0)) broken.push(`${id} assigned after the end of attempt ${attempt}`);
      if (canceled.has(id)) broken.push(`${id} assigned after its cancel`);
      epochOf.set(id, epoch);
      leases.set(id, epoch);
    }
    if (event.type === 'JobStarted' && leases.get(event.data.jobId) !== event.data.epoch)
      broken.push(`${event.data.jobId} began without an assignment under epoch ${event.data.epoch}`);
    if (event.type === 'JobClaimExpired') epochOf.set(event.data.jobId, event.data.epoch);
    if (event.type === 'JobCompleted' || event.type === 'JobLost') {
      const { jobId: id, attempt, epoch } = event.data;
      if (attempt <= (endOf.get(id) ?? 0)) broken.push(`a second end of attempt ${attempt} of ${id}`);
      if (epoch < (epochOf.get(id) ?? 0)) broken.push(`an end of ${id} under a stale epoch`);
      epochOf.set(id, epoch);
      endOf.set(id, attempt);
      leases.delete(id);
    }
  }
  const state = fold(run, run.initial, history);
  if (state.kind === 'none') return broken;
  const isOver = state.resolution !== 'pending' && [...state.jobs.values()].every(({ status }) => status === 'ended');
  if (isOver && state.planned.length === 0 && state.result === null) broken.push('a run without an end');
  if (state.result === 'success' && [...state.jobs.values()].some(({ status }) => status !== 'ended'))
    broken.push('a success with a job that has not ended');
  return broken;
};
