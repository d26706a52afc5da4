/** Concurrency groups of a run and its jobs: entered before they begin, left when they have ended. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { PrincipalId } from '../../../domain/kernel/ids';
import type { Fault } from '../../../domain/kernel/rejection';
import type { JobId } from '../../../domain/workflow/ids';
import type { RunCommand } from '../../../domain/workflow/run/commands';
import type { GroupStanding } from '../../../domain/workflow/run/concurrency-group';
import type { Concurrency, JobNode } from '../../../domain/workflow/run/events';
import { isEnding, type Run } from '../../../domain/workflow/run/state';
import type { ActiveRun } from '../../../infra/ports/workflow/active-runs';
import type { ConcurrencyGroups } from '../../../infra/ports/workflow/concurrency-groups';
import type { TrackedRun } from './tracked-run';

export interface GroupDeps {
  readonly groups: ConcurrencyGroups;
  /** Of other runs a member's standing changed: they are to be moved on. */
  readonly wake: (runs: readonly ActiveRun[]) => void;
}

type Answer<Value> = Promise<Either<Fault, Value>>;

const by = 'workflow-concurrency' as PrincipalId;
const isToEnd = (standing: GroupStanding): boolean => standing === 'superseded' || standing === 'ending';

interface Entry {
  readonly run: Run;
  readonly jobId: JobId | null;
  readonly concurrency: Concurrency;
}

const enter = async (
  { groups, wake }: GroupDeps,
  tracked: TrackedRun,
  { run, jobId, concurrency: { group: name, cancelInProgress: endsHolder } }: Entry,
): Answer<GroupStanding> => {
  const { tenantId, runId, begun } = tracked;
  const member = { runId, jobId, attempt: run.attempt, since: begun };
  const entered = await groups.enter({ tenantId, repoId: run.request.repoId, name, member, endsHolder });
  if (isLeft(entered)) return entered;
  const { standing, changed } = entered.right;
  wake(changed);
  if (standing === 'pending') tracked.groupWaitedAt = performance.now();
  return right(standing);
};

/** The command for the standing of the run and its jobs. `waits`: none of its jobs may begin. */
export const groupCommand = async (
  deps: GroupDeps,
  tracked: TrackedRun,
  run: Run,
): Answer<RunCommand | 'waits' | undefined> => {
  const { tenantId, runId } = tracked;
  tracked.groupWaitedAt = undefined;
  const isGrouped =
    run.concurrency !== null || [...run.jobs.values()].some(({ node }) => node.concurrency !== undefined);
  if (!isGrouped || run.resolution !== 'resolved' || isEnding(run)) return right(undefined);
  if (run.concurrency !== null) {
    const standing = await enter(deps, tracked, { run, jobId: null, concurrency: run.concurrency });
    if (isLeft(standing)) return standing;
    if (isToEnd(standing.right)) return right({ type: 'CancelRun', runId, by, isForced: false });
    if (standing.right === 'pending') return right('waits');
  }
  const memberships = await deps.groups.of(tenantId, runId);
  if (isLeft(memberships)) return memberships;
  const jobIds = memberships.right.flatMap(({ jobId, standing }) => {
    const job = jobId === null ? undefined : run.jobs.get(jobId);
    return job !== undefined && isToEnd(standing) && job.status !== 'ended' && !job.isCanceling ? [job.node.jobId] : [];
  });
  return right(jobIds.length === 0 ? undefined : replacedJobs(tracked, jobIds));
};

export const replacedJobs = ({ runId }: TrackedRun, jobIds: readonly JobId[]): RunCommand => ({
  type: 'CancelJobs',
  runId,
  jobIds,
  reason: 'A newer one replaced it in the concurrency group.',
});

/** A job in the group of its own run needs no place of its own. */
export const enterForJob = async (
  deps: GroupDeps,
  tracked: TrackedRun,
  { run, node: { jobId, concurrency } }: { readonly run: Run; readonly node: JobNode },
): Answer<GroupStanding> => {
  if (concurrency === undefined) return right('holder');
  if (run.concurrency?.group.toLowerCase() === concurrency.group.toLowerCase()) return right('holder');
  return enter(deps, tracked, { run, jobId, concurrency });
};

export const leaveGroups = async ({ groups, wake }: GroupDeps, tracked: TrackedRun, run: Run): Answer<void> => {
  const { tenantId, runId, left } = tracked;
  const ended: (JobId | null)[] = [...run.jobs.values()]
    .filter(({ status, node }) => status === 'ended' && node.concurrency !== undefined)
    .filter(({ node }) => left.get(node.jobId) !== run.attempt)
    .map(({ node }) => node.jobId);
  if (run.result !== null && run.concurrency !== null) ended.push(null);
  for (const jobId of ended) {
    const changed = await groups.leave(tenantId, { runId, jobId });
    if (isLeft(changed)) return changed;
    wake(changed.right);
    if (jobId !== null) left.set(jobId, run.attempt);
  }
  return right(undefined);
};
