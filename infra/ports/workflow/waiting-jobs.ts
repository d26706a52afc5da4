/** Why jobs wait, as the query API reads it. */
import type { Either } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import type { ConcurrencyGroups } from './concurrency-groups';

export const waitingReasons = [
  'dependency',
  'concurrency_group',
  'no_matching_runner',
  'capacity',
  'org_limit',
  'repo_limit',
  'workflow_limit',
  'matrix_limit',
  'quota_exceeded',
] as const;
export type WaitingReason = (typeof waitingReasons)[number];

export interface WaitingJob {
  readonly jobId: JobId;
  readonly reason: WaitingReason;
  /** For people: which label no runner has, which limit is reached. */
  readonly detail: string;
  /** From 1, among the jobs of the organization that wait. */
  readonly position: number;
}

export interface WaitingJobs {
  /** Those of a run, or of a tenant, that wait for a runner. */
  readonly claims: (of: {
    readonly tenantId: TenantId;
    readonly runId?: RunId;
  }) => Promise<Either<Fault<'job-claims-unavailable'>, readonly WaitingJob[]>>;
  readonly groups: ConcurrencyGroups['of'];
}
