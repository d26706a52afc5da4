/**
 * Jobs that wait for a runner, and leases of assigned ones. The log decides; these rows hold who can try, and until when, by the
 * database's clock.
 */
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { DefinitionId, JobId, RepositoryId, RunId, RunnerId } from '../../../domain/workflow/ids';
import type { Isolation } from '../../../domain/workflow/organization/events';
import type { AvailableRunner } from '../../../domain/workflow/runner/events';

export type JobClaimsFault = Fault<'job-claims-unavailable'>;
type Answer<Value> = Promise<Either<JobClaimsFault, Value>>;

export interface QueuedJob {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly attempt: number;
  readonly repoId: RepositoryId;
  readonly workflowDefinitionId: DefinitionId;
  /** Jobs of one matrix with `max-parallel` share a group. */
  readonly matrix: { readonly key: string; readonly maxParallel: number } | null;
  readonly labels: readonly string[];
  readonly isolation: Isolation;
  readonly priority: number;
  /** Of the job's last lease in the log, so that the next one is greater though these rows were lost. */
  readonly lastEpoch?: number;
}

export interface ClaimingRunner extends AvailableRunner {
  readonly runnerId: RunnerId;
}

export interface SeenRunner extends ClaimingRunner {
  /** Whose list of runners it stands in. */
  readonly owner: TenantId;
}

export interface JobLease {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly attempt: number;
  /** Greater than that of every lease of this job before. */
  readonly epoch: number;
  readonly runnerId: RunnerId;
}

/** What every claim is held to; the last two of an organization that was never configured. */
export interface ClaimBounds {
  readonly leaseMilliseconds: number;
  readonly jobsPerRepository: number;
  readonly runsPerWorkflow: number;
  readonly concurrentJobs: number;
  readonly secondsPerMonth: number;
}

/** A row that should exist by the log. */
export interface ExpectedClaim extends Pick<JobLease, 'tenantId' | 'runId' | 'jobId'> {
  /** Of the lease that a runner has; null while the job waits. */
  readonly epoch: number | null;
}

export interface JobClaims {
  /** Makes the job claimable; again without effect. */
  readonly enqueue: (jobs: readonly QueuedJob[]) => Answer<void>;
  /** These runners have called just now. */
  readonly recordSeen: (runners: readonly SeenRunner[]) => Answer<void>;
  /** The best job that this runner may have now, with a lease. Undefined: none. */
  readonly claim: (runner: ClaimingRunner) => Answer<JobLease | undefined>;
  /** The log refused the assignment, or the job has ended: the row goes, whichever runner holds it, unless its epoch is greater. */
  readonly remove: (
    job: Pick<JobLease, 'tenantId' | 'runId' | 'jobId'> & { readonly epoch: number | null },
  ) => Answer<void>;
  /** The claim was not used: the job waits again. */
  readonly release: (lease: JobLease) => Answer<void>;
  /** The leases among these that are still held, extended; the runner gets notified of the others. */
  readonly renew: (leases: readonly JobLease[]) => Answer<readonly JobLease[]>;
  /** Leases that ended since; each is answered until it is removed or given back. */
  readonly expired: (most: number) => Answer<readonly JobLease[]>;
  /** Those among these whose row is gone, so that nothing would assign or end their jobs. */
  readonly missing: (expected: readonly ExpectedClaim[]) => Answer<readonly ExpectedClaim[]>;
  /** Calls when a job became claimable or a slot free. */
  readonly watch: (notify: () => void) => { readonly close: () => void };
  /** The organization's minutes of this month are spent, and it has no runner of its own, seen lately, for one of these jobs. */
  readonly isQuotaSpent: (
    tenantId: TenantId,
    jobs: readonly Pick<QueuedJob, 'labels' | 'isolation'>[],
  ) => Answer<boolean>;
  readonly setLimits: (limits: OrganizationLimits) => Answer<void>;
  readonly close: () => Promise<void>;
}

export interface OrganizationLimits {
  readonly tenantId: TenantId;
  readonly concurrentJobs: number;
  readonly secondsPerMonth: number | null;
  readonly at: Instant;
}
