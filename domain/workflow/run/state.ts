/** A run as its decider and the coordinator see it. */
import type { PrincipalId } from '../../kernel/ids';
import type { JobId, RunnerId } from '../ids';
import type { Concurrency, DataOf, JobNode, JobOutputs, JobResult, RunEvent, RunnerType, RunResult } from './events';
import { jobStatusChanges, type RunStatus, runStatusChanges, statusAfter } from './status';

interface Graph {
  readonly graphKey: string;
  readonly graphDigest: string;
}

export interface Job {
  readonly node: JobNode;
  /** The blob that holds its content. */
  readonly graph: Graph;
  /** `created`: its needs have not ended, or its condition is not evaluated yet. `assigned` and `running`: a runner has it. */
  readonly status: 'created' | 'queued' | 'assigned' | 'running' | 'ended';
  /** As people see it. */
  readonly viewStatus: RunStatus;
  /** Canceled, and a runner still has it. */
  readonly isCanceling: boolean;
  readonly attempt: number;
  /** Of its last lease; 0 before the first. Never falls, also over retries. */
  readonly epoch: number;
  readonly runner: { readonly runnerId: RunnerId; readonly runnerType: RunnerType } | null;
  /** Lost leases since the run's attempt began. */
  readonly lost: number;
  /** Of an ended job. */
  readonly result: JobResult | null;
  readonly outputs: JobOutputs;
}

export interface Run {
  readonly kind: 'run';
  readonly request: DataOf<'RunRequested'>;
  /** As people see it. */
  readonly viewStatus: RunStatus;
  /** `refused`: the definition cannot be run, or the run may not begin. */
  readonly resolution: 'pending' | 'resolved' | 'refused';
  readonly attempt: number;
  /** Who began its last attempt. Null: it is the first one. */
  readonly retriedBy: PrincipalId | null;
  /** Null: it is in no group, or not resolved yet. */
  readonly concurrency: Concurrency | null;
  readonly jobs: ReadonlyMap<JobId, Job>;
  /** Matrices that have not become jobs yet. */
  readonly planned: DataOf<'RunResolved'>['planned'];
  readonly cancel: 'none' | 'requested' | 'forced';
  readonly isTimedOut: boolean;
  /** Null while it is active. */
  readonly result: RunResult | null;
}

export type RunState = { readonly kind: 'none' } | Run;

export const isActive = ({ status }: Job): boolean => status === 'assigned' || status === 'running';

/** Every job of the run is canceled: none is queued or assigned any more. */
export const isEnding = ({ cancel, isTimedOut }: Run): boolean => cancel !== 'none' || isTimedOut;

/** Matrices that still become jobs. Those of a canceled run come back when it is retried. */
export const pendingPlans = (run: Run): Run['planned'] => (isEnding(run) ? [] : run.planned);

const newJob = (node: JobNode, graph: Graph): readonly [JobId, Job] => [
  node.jobId,
  {
    node,
    graph,
    status: 'created',
    viewStatus: 'queued',
    isCanceling: false,
    attempt: 1,
    epoch: 0,
    runner: null,
    lost: 0,
    result: null,
    outputs: {},
  },
];

/** What the event changes in these jobs, with their statuses as people see them. */
const withJobs = (run: Run, event: RunEvent, jobIds: Iterable<JobId>, change: (job: Job) => Job): Run => {
  const { changes } = jobStatusChanges(event);
  const jobs = new Map(run.jobs);
  for (const jobId of jobIds) {
    const job = jobs.get(jobId);
    if (job !== undefined) jobs.set(jobId, { ...change(job), viewStatus: statusAfter(job.viewStatus, changes) });
  }
  return { ...run, jobs };
};

const ended = (job: Job, result: JobResult): Job => ({ ...job, status: 'ended', isCanceling: false, result });

/** A job without a runner ends at once; the runner of another is notified. */
const asCanceled = (job: Job): Job => {
  if (job.status === 'ended') return job;
  return isActive(job) ? { ...job, isCanceling: true } : ended(job, 'canceled');
};

const begunAgain = (job: Job): Job => ({
  ...job,
  status: 'created',
  isCanceling: false,
  attempt: job.attempt + 1,
  runner: null,
  lost: 0,
  result: null,
  outputs: {},
});

const evolveRun = (run: Run, event: Exclude<RunEvent, { type: 'RunRequested' }>): Run => {
  switch (event.type) {
    case 'RunResolved': {
      const { jobs, planned, graphKey, graphDigest } = event.data;
      const made = jobs.map((node) => newJob(node, { graphKey, graphDigest }));
      return { ...run, resolution: 'resolved', jobs: new Map(made), planned };
    }
    case 'RunTitled':
      return run;
    case 'RunGrouped':
      return { ...run, concurrency: event.data.concurrency };
    case 'RunNotResolved':
    case 'RunRefused':
      return { ...run, resolution: 'refused' };
    case 'JobsPlanned': {
      const { key, jobs, graphKey, graphDigest } = event.data;
      const made = jobs.map((node) => newJob(node, { graphKey, graphDigest }));
      return {
        ...run,
        jobs: new Map([...run.jobs, ...made]),
        planned: run.planned.filter((planned) => planned.key !== key),
      };
    }
    case 'JobsQueued':
      return withJobs(run, event, event.data.jobIds, (job) => ({ ...job, status: 'queued' }));
    case 'JobsSkipped':
      return withJobs(run, event, event.data.jobIds, (job) => ended(job, 'skipped'));
    case 'JobAssigned': {
      const { jobId, epoch, runnerId, runnerType } = event.data;
      return withJobs(run, event, [jobId], (job) => ({
        ...job,
        status: 'assigned',
        epoch,
        runner: { runnerId, runnerType },
      }));
    }
    case 'JobClaimExpired': {
      const { jobId, epoch } = event.data;
      return withJobs(run, event, [jobId], (job) => ({ ...job, epoch }));
    }
    case 'JobStarted':
      return withJobs(run, event, [event.data.jobId], (job) => ({ ...job, status: 'running' }));
    case 'JobCompleted': {
      const { jobId, epoch, result, outputs } = event.data;
      return withJobs(run, event, [jobId], (job) => ({ ...ended(job, result), epoch, outputs }));
    }
    case 'JobLost':
      return withJobs(run, event, [event.data.jobId], (job) => ({ ...ended(job, 'lost'), lost: job.lost + 1 }));
    case 'JobRequeued': {
      const { jobId, attempt } = event.data;
      return withJobs(run, event, [jobId], (job) => ({
        ...job,
        status: 'queued',
        attempt,
        runner: null,
        result: null,
      }));
    }
    case 'RunCancelRequested':
      return withJobs(
        { ...run, cancel: event.data.isForced ? 'forced' : 'requested' },
        event,
        run.jobs.keys(),
        asCanceled,
      );
    case 'JobsCancelRequested':
      return withJobs(run, event, event.data.jobIds, asCanceled);
    case 'RunTimedOut':
      return withJobs({ ...run, isTimedOut: true }, event, run.jobs.keys(), asCanceled);
    case 'RunCompleted':
      return { ...run, result: event.data.result };
    case 'RunRetried': {
      const { attempt, jobIds, by } = event.data;
      const resolution = run.resolution === 'refused' ? 'pending' : run.resolution;
      const retried: Run = {
        ...run,
        resolution,
        attempt,
        retriedBy: by,
        cancel: 'none',
        isTimedOut: false,
        result: null,
      };
      return withJobs(retried, event, jobIds, begunAgain);
    }
  }
};

export const initialRun: RunState = { kind: 'none' };

export const evolve = (state: RunState, event: RunEvent): RunState => {
  if (event.type !== 'RunRequested') {
    if (state.kind === 'none') return state;
    return { ...evolveRun(state, event), viewStatus: statusAfter(state.viewStatus, runStatusChanges(event)) };
  }
  return {
    kind: 'run',
    request: event.data,
    viewStatus: 'queued',
    resolution: 'pending',
    attempt: 1,
    retriedBy: null,
    concurrency: null,
    jobs: new Map(),
    planned: [],
    cancel: 'none',
    isTimedOut: false,
    result: null,
  };
};
