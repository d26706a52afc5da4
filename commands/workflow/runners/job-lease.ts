/** The lease of a job under which a runner calls. Every call checks it against the run's stream. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { JobId } from '../../../domain/workflow/ids';
import { isActive, type Job, type Run } from '../../../domain/workflow/run/state';
import type { JobLease } from '../../../infra/ports/workflow/job-claims';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { WorkflowAdapters } from '../adapters';
import type { AuthenticatedRunner } from './authenticate-runner';
import { leaseProblems } from './problems';

export interface Presented {
  readonly runner: Pick<AuthenticatedRunner, 'runnerId' | 'tenantId'>;
  readonly jobId: JobId;
  readonly epoch: number;
}

export interface CurrentLease {
  readonly lease: JobLease;
  readonly run: Run;
  readonly job: Job;
}

export const staleEpoch: Problem = problemOf(
  {
    kind: 'rejection',
    code: 'stale-epoch',
    detail: 'The job has a newer lease, or has ended: end it and report nothing.',
  },
  leaseProblems,
);

export type CancelKind = 'graceful' | 'forced' | null;
export const cancelKindOf = ({ run: { cancel }, job }: Pick<CurrentLease, 'run' | 'job'>): CancelKind => {
  if (!job.isCanceling) return null;
  return cancel === 'forced' ? 'forced' : 'graceful';
};

/** Also of a job that has ended under it: late chunks of its log are taken, and a report may be repeated. */
export const findLease = async (
  adapters: Pick<WorkflowAdapters, 'runs' | 'logs'>,
  { runner, jobId, epoch }: Presented,
): Promise<Either<Problem, CurrentLease>> => {
  const found = await adapters.logs.find({ tenantId: runner.tenantId, jobId });
  if (isLeft(found)) return left(problemOf(found.left, leaseProblems));
  if (found.right === undefined) return left(staleEpoch);
  const { tenantId, runId } = found.right;
  const loaded = await adapters.runs.load({ tenantId, runId });
  if (isLeft(loaded)) return left(problemOf(loaded.left, {}));
  const { state: run } = loaded.right;
  const job = run.kind === 'run' ? run.jobs.get(jobId) : undefined;
  if (run.kind === 'none' || job === undefined) return left(staleEpoch);
  if (job.epoch !== epoch || job.runner?.runnerId !== runner.runnerId) return left(staleEpoch);
  const { attempt } = job;
  return right({ lease: { tenantId, runId, jobId, attempt, epoch, runnerId: runner.runnerId }, run, job });
};

export const findActiveLease = async (
  adapters: Pick<WorkflowAdapters, 'runs' | 'logs'>,
  presented: Presented,
): Promise<Either<Problem, CurrentLease>> => {
  const found = await findLease(adapters, presented);
  return isLeft(found) || isActive(found.right.job) ? found : left(staleEpoch);
};

const batchMilliseconds = 50;

/** Leases that are renewed at one moment are renewed by one statement. Answers whether the lease is still held; undefined: not known now. */
export const openLeaseRenewals = ({ claims }: Pick<WorkflowAdapters, 'claims'>) => {
  let waiting: { readonly lease: JobLease; readonly answer: (held: boolean | undefined) => void }[] = [];
  const send = async (): Promise<void> => {
    const batch = waiting;
    waiting = [];
    const renewed = await claims.renew(batch.map(({ lease }) => lease));
    const keyOf = ({ runId, jobId, epoch }: JobLease): string => `${runId} ${jobId} ${epoch}`;
    const held = isLeft(renewed) ? undefined : new Set(renewed.right.map(keyOf));
    for (const { lease, answer } of batch) answer(held?.has(keyOf(lease)));
  };
  return {
    renew: (lease: JobLease): Promise<boolean | undefined> =>
      new Promise((resolve) => {
        if (waiting.length === 0) setTimeout(() => void send(), batchMilliseconds);
        waiting.push({ lease, answer: resolve });
      }),
  };
};
export type LeaseRenewals = ReturnType<typeof openLeaseRenewals>;
