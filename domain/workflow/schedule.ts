/**
 * Which of the jobs that wait a runner gets: organizations in turn, the one with the fewest running jobs first, then the one served longest ago.
 * Priorities count within an organization, one more for every five minutes of waiting. The adapter has the same rule in SQL; a test holds it to this.
 */
import type { TenantId } from '../kernel/ids';
import type { DefinitionId, JobId, RepositoryId, RunId } from './ids';
import type { Isolation } from './organization/events';
import type { AvailableRunner } from './runner/events';

interface ScheduledJob {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly repoId: RepositoryId;
  readonly workflowDefinitionId: DefinitionId;
  readonly matrix: { readonly key: string; readonly maxParallel: number } | null;
}

/** Times are milliseconds since 1970. */
export interface WaitingJob extends ScheduledJob {
  readonly labels: readonly string[];
  readonly isolation: Isolation;
  readonly priority: number;
  readonly enqueuedAt: number;
}

export interface HeldJob extends ScheduledJob {
  /** Since when a managed runner has it; null: one of the organization's own. */
  readonly managedSince: number | null;
}

export interface ScheduledOrganization {
  /** When a job of it was last given to a runner; undefined: never. */
  readonly servedAt: number | undefined;
  /** Undefined: it was never configured. Null seconds: as many as it likes. */
  readonly limits: { readonly concurrentJobs: number; readonly secondsPerMonth: number | null } | undefined;
  /** On managed runners this month, by jobs that have ended. */
  readonly secondsUsed: number;
}

export interface ScheduleBounds {
  readonly jobsPerRepository: number;
  readonly runsPerWorkflow: number;
  readonly concurrentJobs: number;
  readonly secondsPerMonth: number;
}

export interface Schedule<Waiting extends WaitingJob = WaitingJob> {
  readonly waiting: readonly Waiting[];
  readonly held: readonly HeldJob[];
  readonly organization: (tenantId: TenantId) => ScheduledOrganization;
  readonly bounds: ScheduleBounds;
  readonly now: number;
}

const agingMilliseconds = 300_000;
/** From weak to strong: a runner takes jobs that require at most its own. */
const isolations: readonly Isolation[] = ['none', 'bwrap', 'container', 'vm'];

const isFor = ({ tenantId, labels, isolation }: WaitingJob, runner: AvailableRunner): boolean => {
  const offered = new Set(runner.labels.map((label) => label.toLowerCase()));
  return (
    (runner.tenantId === null || runner.tenantId === tenantId) &&
    labels.every((label) => offered.has(label.toLowerCase())) &&
    isolations.indexOf(isolation) <= isolations.indexOf(runner.isolation)
  );
};

const heldOf = ({ held }: Schedule, tenantId: TenantId): readonly HeldJob[] =>
  held.filter((job) => job.tenantId === tenantId);

const isQuotaSpent = (schedule: Schedule, tenantId: TenantId): boolean => {
  const { bounds, now } = schedule;
  const { limits, secondsUsed } = schedule.organization(tenantId);
  const most = limits === undefined ? bounds.secondsPerMonth : limits.secondsPerMonth;
  if (most === null) return false;
  const running = heldOf(schedule, tenantId).reduce((sum, { managedSince: since }) => sum + now - (since ?? now), 0);
  return secondsUsed + running / 1_000 >= most;
};

const isWithinLimits = (schedule: Schedule, job: WaitingJob): boolean => {
  const { bounds } = schedule;
  const held = heldOf(schedule, job.tenantId);
  const { limits } = schedule.organization(job.tenantId);
  if (held.length >= (limits?.concurrentJobs ?? bounds.concurrentJobs)) return false;
  if (held.filter(({ repoId }) => repoId === job.repoId).length >= bounds.jobsPerRepository) return false;
  const ofWorkflow = held.filter(({ workflowDefinitionId: id }) => id === job.workflowDefinitionId);
  const runs = new Set(ofWorkflow.map(({ runId }) => runId));
  const isRunning = held.some(({ runId }) => runId === job.runId);
  if (!isRunning && runs.size >= bounds.runsPerWorkflow) return false;
  const { matrix } = job;
  if (matrix === null) return true;
  const ofMatrix = held.filter((one) => one.runId === job.runId && one.matrix?.key === matrix.key);
  return ofMatrix.length < matrix.maxParallel;
};

const textOrder = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

export const nextJob = <Waiting extends WaitingJob>(
  schedule: Schedule<Waiting>,
  runner: AvailableRunner,
): Waiting | undefined => {
  const running = (tenantId: TenantId): number => heldOf(schedule, tenantId).length;
  const servedAt = (tenantId: TenantId): number => schedule.organization(tenantId).servedAt ?? Number.NEGATIVE_INFINITY;
  const priority = (job: WaitingJob): number =>
    job.priority + Math.floor((schedule.now - job.enqueuedAt) / agingMilliseconds);
  const compare = (one: WaitingJob, other: WaitingJob): number =>
    running(one.tenantId) - running(other.tenantId) ||
    Math.sign(servedAt(one.tenantId) - servedAt(other.tenantId)) ||
    textOrder(one.tenantId, other.tenantId) ||
    priority(other) - priority(one) ||
    one.enqueuedAt - other.enqueuedAt ||
    textOrder(one.jobId, other.jobId);
  return schedule.waiting
    .filter((job) => isFor(job, runner) && isWithinLimits(schedule, job))
    .filter((job) => runner.type === 'self_hosted' || !isQuotaSpent(schedule, job.tenantId))
    .toSorted(compare)[0];
};
