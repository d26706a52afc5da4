/** Commands to a run. */
import type { PrincipalId } from '../../kernel/ids';
import type { JobId, RunId, RunnerId } from '../ids';
import type { Concurrency, DataOf, RetryMode, RunnerType } from './events';

interface OfRun {
  readonly runId: RunId;
}
interface OfLease extends OfRun {
  readonly jobId: JobId;
  readonly epoch: number;
}

export type RunCommand =
  | ({ readonly type: 'RequestRun' } & DataOf<'RunRequested'>)
  | ({
      readonly type: 'ResolveRun';
      readonly title?: string | undefined;
      readonly concurrency?: Concurrency | undefined;
    } & DataOf<'RunResolved'>)
  | ({ readonly type: 'RefuseDefinition' } & DataOf<'RunNotResolved'>)
  | ({ readonly type: 'RefuseRun' } & DataOf<'RunRefused'>)
  | ({ readonly type: 'PlanJobs' } & DataOf<'JobsPlanned'>)
  /** The coordinator evaluated the conditions of jobs whose needs have ended. */
  | (OfRun & {
      readonly type: 'AdmitJobs';
      readonly queued: readonly JobId[];
      readonly skipped: readonly { readonly jobId: JobId; readonly reason: string }[];
    })
  /** `attempt`: the one that was claimed. A claim may be older than a retry. */
  | (OfLease & {
      readonly type: 'AssignJob';
      readonly attempt: number;
      readonly runnerId: RunnerId;
      readonly runnerType: RunnerType;
    })
  | (OfLease & { readonly type: 'ExpireClaim' })
  | (OfLease & { readonly type: 'StartJob'; readonly runnerId: RunnerId })
  | ({ readonly type: 'CompleteJob'; readonly runnerId: RunnerId } & Omit<DataOf<'JobCompleted'>, 'attempt'>)
  /** Its lease ended. Answered with `JobLost`, then `JobRequeued` where the job's policy allows. */
  | (OfLease & { readonly type: 'LoseJob'; readonly reason: string })
  | (OfRun & { readonly type: 'CancelRun'; readonly by: PrincipalId; readonly isForced: boolean })
  /** Newer ones took their place in a concurrency group. */
  | (OfRun & { readonly type: 'CancelJobs'; readonly jobIds: readonly JobId[]; readonly reason: string })
  /** The grace of a cancel is over: those of these jobs that still run end as canceled. At most 90 of them, so that one append holds them. */
  | (OfRun & { readonly type: 'EndCanceledJobs'; readonly jobIds: readonly JobId[] })
  | (OfLease & { readonly type: 'TimeJobOut' })
  | (OfRun & { readonly type: 'TimeRunOut' })
  | (OfRun & { readonly type: 'FailQueuedJob'; readonly jobId: JobId; readonly reason: string })
  | (OfRun & {
      readonly type: 'RetryRun';
      readonly by: PrincipalId;
      readonly mode: RetryMode;
      readonly jobId: JobId | null;
    });

/** `stale-epoch`: another lease of the job is newer, or the job has ended. `no-failed-job`: there is no job that a retry of failed ones could take. */
export type RunRejection =
  | 'run-unknown'
  | 'run-ended'
  | 'run-active'
  | 'job-unknown'
  | 'job-not-queued'
  | 'stale-epoch'
  | 'no-failed-job'
  | 'too-many-attempts';
