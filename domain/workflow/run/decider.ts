/** Rules of a run: how its jobs become runnable, are leased, end, and are tried again. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { type Decider, fold } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { JobId } from '../ids';
import { limits } from '../limits';
import type { RunCommand, RunRejection } from './commands';
import { type DataOf, type RunEvent, runs } from './events';
import { failFastSiblings, hasRunEnded, resultOf, retriedJobs } from './results';
import { evolve, initialRun, isActive, isEnding, type Job, type Run, type RunState } from './state';

type Decision = Either<Rejection<RunRejection>, readonly RunEvent[]>;
type CommandOf<Type extends RunCommand['type']> = Extract<RunCommand, { type: Type }>;

/** An append holds at most 100 events. */
export const mostEndedJobs = 90;

const noEffect: Decision = right([]);
const decided = (...events: readonly RunEvent[]): Decision => right(events);
const stale = (): Decision => reject('stale-epoch', 'The job has a newer lease, or has ended.');
const unknownJob = (): Decision => reject('job-unknown', 'The run has no such job.');
const runEnded = (): Decision => reject('run-ended', 'The run has ended.');

/** Cancels the other combinations of a matrix after one of them failed. */
const withFailFast = (run: Run, jobId: JobId, events: readonly RunEvent[]): Decision => {
  const after = fold({ evolve }, run as RunState, events) as Run;
  const jobIds = failFastSiblings(after, after.jobs.get(jobId) as Job);
  if (jobIds.length === 0) return right(events);
  const { runId } = run.request;
  const reason = 'Another combination of the matrix failed.';
  return decided(...events, { type: 'JobsCancelRequested', data: { runId, jobIds, reason } });
};

/** The service ends a job instead of its runner. */
const completedByService = (
  run: Run,
  job: Job,
  end: Pick<DataOf<'JobCompleted'>, 'epoch' | 'result' | 'reason'>,
): RunEvent => ({
  type: 'JobCompleted',
  data: {
    runId: run.request.runId,
    jobId: job.node.jobId,
    attempt: job.attempt,
    ...end,
    outputs: {},
    steps: [],
    annotations: [],
    summary: null,
    logChunks: null,
  },
});

const hasLease = (job: Job, epoch: number): boolean => isActive(job) && job.epoch === epoch;

const resolve = ({ type: _, title, concurrency, ...data }: CommandOf<'ResolveRun'>, run: Run): Decision => {
  if (run.resolution === 'resolved') return noEffect;
  if (run.result !== null) return runEnded();
  const { runId } = data;
  return decided(
    { type: 'RunResolved', data },
    ...(title === undefined ? [] : [{ type: 'RunTitled' as const, data: { runId, title } }]),
    ...(concurrency === undefined ? [] : [{ type: 'RunGrouped' as const, data: { runId, concurrency } }]),
  );
};

/** Before anything of it began. */
const refuse = (event: RunEvent, run: Run): Decision => {
  if (run.resolution !== 'pending') return noEffect;
  return run.result === null ? decided(event) : runEnded();
};

const plan = ({ type: _, ...data }: CommandOf<'PlanJobs'>, run: Run): Decision => {
  if (!run.planned.some(({ key }) => key === data.key)) return noEffect;
  if (run.result !== null || isEnding(run)) return runEnded();
  return decided({ type: 'JobsPlanned', data });
};

const admit = ({ runId, queued, skipped }: CommandOf<'AdmitJobs'>, run: Run): Decision => {
  if ([...queued, ...skipped.map(({ jobId }) => jobId)].some((jobId) => !run.jobs.has(jobId))) return unknownJob();
  const isCreated = (jobId: JobId): boolean => run.jobs.get(jobId)?.status === 'created';
  const events: RunEvent[] = [];
  const jobIds = queued.filter(isCreated);
  if (jobIds.length > 0) events.push({ type: 'JobsQueued', data: { runId, jobIds } });
  const rest = skipped.filter(({ jobId }) => isCreated(jobId) && !jobIds.includes(jobId));
  for (const reason of new Set(rest.map((one) => one.reason))) {
    const because = rest.filter((one) => one.reason === reason).map(({ jobId }) => jobId);
    events.push({ type: 'JobsSkipped', data: { runId, jobIds: because, reason } });
  }
  return right(events);
};

const assign = (command: CommandOf<'AssignJob'>, run: Run): Decision => {
  const { runId, jobId, attempt, epoch, runnerId, runnerType } = command;
  const job = run.jobs.get(jobId);
  if (job === undefined) return unknownJob();
  if (hasLease(job, epoch) && job.runner?.runnerId === runnerId) return noEffect;
  if (epoch <= job.epoch || attempt !== job.attempt) return stale();
  if (job.status !== 'queued') return reject('job-not-queued', 'The job does not wait for a runner.');
  return decided({ type: 'JobAssigned', data: { runId, jobId, attempt, epoch, runnerId, runnerType } });
};

const expireClaim = ({ runId, jobId, epoch }: CommandOf<'ExpireClaim'>, run: Run): Decision => {
  const job = run.jobs.get(jobId);
  if (job === undefined) return unknownJob();
  if (job.status !== 'queued') return reject('job-not-queued', 'The job does not wait for a runner.');
  return epoch <= job.epoch ? noEffect : decided({ type: 'JobClaimExpired', data: { runId, jobId, epoch } });
};

const start = ({ runId, jobId, epoch, runnerId }: CommandOf<'StartJob'>, run: Run): Decision => {
  const job = run.jobs.get(jobId);
  if (job === undefined) return unknownJob();
  if (!hasLease(job, epoch) || job.runner?.runnerId !== runnerId) return stale();
  return job.status === 'running' ? noEffect : decided({ type: 'JobStarted', data: { runId, jobId, epoch } });
};

/** A success that the runner reports after a cancel stays a success. */
const complete = ({ type: _, runnerId, ...data }: CommandOf<'CompleteJob'>, run: Run): Decision => {
  const job = run.jobs.get(data.jobId);
  if (job === undefined) return unknownJob();
  if (job.runner?.runnerId !== runnerId || job.epoch !== data.epoch) return stale();
  if (job.status === 'ended') return job.result === data.result ? noEffect : stale();
  if (!isActive(job)) return stale();
  return withFailFast(run, data.jobId, [{ type: 'JobCompleted', data: { ...data, attempt: job.attempt } }]);
};

const lose = ({ runId, jobId, epoch, reason }: CommandOf<'LoseJob'>, run: Run): Decision => {
  const job = run.jobs.get(jobId);
  if (job === undefined) return unknownJob();
  if (!hasLease(job, epoch)) return epoch <= job.epoch ? noEffect : stale();
  const lost: RunEvent = { type: 'JobLost', data: { runId, jobId, attempt: job.attempt, epoch, reason } };
  const isRetried = !job.isCanceling && job.lost < job.node.lostRetries && job.attempt < limits.attempts;
  if (!isRetried) return withFailFast(run, jobId, [lost]);
  return decided(lost, { type: 'JobRequeued', data: { runId, jobId, attempt: job.attempt + 1 } });
};

/** A second cancel is a forced one. */
const cancel = ({ runId, by, isForced }: CommandOf<'CancelRun'>, run: Run): Decision => {
  if (run.result !== null) return run.result === 'canceled' ? noEffect : runEnded();
  if (run.cancel === 'forced') return noEffect;
  const data = { runId, by, isForced: isForced || run.cancel === 'requested' };
  return decided({ type: 'RunCancelRequested', data });
};

const cancelJobs = ({ runId, jobIds: chosen, reason }: CommandOf<'CancelJobs'>, run: Run): Decision => {
  if (chosen.some((jobId) => !run.jobs.has(jobId))) return unknownJob();
  const jobIds = chosen.filter((jobId) => {
    const job = run.jobs.get(jobId);
    return job !== undefined && job.status !== 'ended' && !job.isCanceling;
  });
  return jobIds.length === 0 ? noEffect : decided({ type: 'JobsCancelRequested', data: { runId, jobIds, reason } });
};

const endCanceled = ({ jobIds }: CommandOf<'EndCanceledJobs'>, run: Run): Decision => {
  const chosen = new Set(jobIds);
  const jobs = [...run.jobs.values()].filter(({ node, isCanceling }) => isCanceling && chosen.has(node.jobId));
  const reason = 'The grace period of the cancel has ended.';
  return right(
    jobs
      .slice(0, mostEndedJobs)
      .map((job) => completedByService(run, job, { epoch: job.epoch, result: 'canceled', reason })),
  );
};

const timeJobOut = ({ jobId, epoch }: CommandOf<'TimeJobOut'>, run: Run): Decision => {
  const job = run.jobs.get(jobId);
  if (job === undefined) return unknownJob();
  if (!hasLease(job, epoch)) return epoch <= job.epoch ? noEffect : stale();
  const reason = `The job took longer than ${job.node.timeoutMinutes} minutes.`;
  return withFailFast(run, jobId, [completedByService(run, job, { epoch, result: 'timed_out', reason })]);
};

const timeRunOut = ({ runId }: CommandOf<'TimeRunOut'>, run: Run): Decision =>
  run.result !== null || run.isTimedOut ? noEffect : decided({ type: 'RunTimedOut', data: { runId } });

/** Under an epoch of its own, so that a lease claimed meanwhile is stale. */
const failQueued = ({ jobId, reason }: CommandOf<'FailQueuedJob'>, run: Run): Decision => {
  const job = run.jobs.get(jobId);
  if (job === undefined) return unknownJob();
  if (job.status === 'ended') return noEffect;
  if (job.status !== 'queued') return reject('job-not-queued', 'The job does not wait for a runner.');
  const end = { epoch: job.epoch + 1, result: 'failure', reason } as const;
  return withFailFast(run, jobId, [completedByService(run, job, end)]);
};

const retry = ({ runId, by, mode, jobId }: CommandOf<'RetryRun'>, run: Run): Decision => {
  if (run.result === null) return reject('run-active', 'The run has not ended.');
  if (mode === 'job' && (jobId === null || !run.jobs.has(jobId))) return unknownJob();
  const jobIds = retriedJobs(run, mode, jobId);
  const isUnfinished = run.resolution !== 'resolved' || run.planned.length > 0;
  if (jobIds.length === 0 && !isUnfinished) return reject('no-failed-job', 'No job of the run failed.');
  const attempt = run.attempt + 1;
  const isTooOften = jobIds.some((one) => (run.jobs.get(one)?.attempt ?? 0) >= limits.attempts);
  if (attempt > limits.attempts || isTooOften)
    return reject('too-many-attempts', `A run and its jobs have at most ${limits.attempts} attempts.`);
  return decided({ type: 'RunRetried', data: { runId, attempt, by, mode, jobIds } });
};

const decideRun = (command: Exclude<RunCommand, { type: 'RequestRun' }>, run: Run): Decision => {
  switch (command.type) {
    case 'ResolveRun':
      return resolve(command, run);
    case 'RefuseDefinition': {
      const { type: _, ...data } = command;
      return refuse({ type: 'RunNotResolved', data }, run);
    }
    case 'RefuseRun': {
      const { type: _, ...data } = command;
      return refuse({ type: 'RunRefused', data }, run);
    }
    case 'PlanJobs':
      return plan(command, run);
    case 'AdmitJobs':
      return admit(command, run);
    case 'AssignJob':
      return assign(command, run);
    case 'ExpireClaim':
      return expireClaim(command, run);
    case 'StartJob':
      return start(command, run);
    case 'CompleteJob':
      return complete(command, run);
    case 'LoseJob':
      return lose(command, run);
    case 'CancelRun':
      return cancel(command, run);
    case 'CancelJobs':
      return cancelJobs(command, run);
    case 'EndCanceledJobs':
      return endCanceled(command, run);
    case 'TimeJobOut':
      return timeJobOut(command, run);
    case 'TimeRunOut':
      return timeRunOut(command, run);
    case 'FailQueuedJob':
      return failQueued(command, run);
    case 'RetryRun':
      return retry(command, run);
  }
};

/** The end of the last job is the end of the run, in the same append. */
const withRunCompleted = (run: Run, events: readonly RunEvent[]): readonly RunEvent[] => {
  const after = fold({ evolve }, run as RunState, events) as Run;
  if (events.length === 0 || after.result !== null || !hasRunEnded(after)) return events;
  const { runId } = run.request;
  return [...events, { type: 'RunCompleted', data: { runId, attempt: after.attempt, result: resultOf(after) } }];
};

const decide = (command: RunCommand, state: RunState): Decision => {
  if (command.type === 'RequestRun') {
    const { type: _, ...data } = command;
    return state.kind === 'none' ? decided({ type: 'RunRequested', data }) : noEffect;
  }
  if (state.kind === 'none') return reject('run-unknown', 'There is no such run.');
  const decision = decideRun(command, state);
  return isLeft(decision) ? decision : right(withRunCompleted(state, decision.right));
};

export const run: Decider<RunCommand, RunState, RunEvent, RunRejection> = {
  family: runs,
  initial: initialRun,
  evolve,
  decide,
};
