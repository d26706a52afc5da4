/** Runs that have begun, and of which no job is in progress now because the next ones wait for a runner. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { RunId } from '../../domain/workflow/ids';
import type { ViewFault } from '../../infra/ports/views/view-store';
import { type JobRow, jobsView } from '../../projections/workflow/jobs/view';
import type { RunRow } from '../../projections/workflow/runs/view';
import type { QueryDeps } from '../kernel/row-queries';

/** Of a page of runs. */
const mostJobs = 10_000;

const isOpen = ({ status }: Pick<RunRow, 'status'>): boolean => status === 'in_progress';

const idleRunsOf = (jobs: readonly Pick<JobRow, 'runId' | 'status'>[]): ReadonlySet<RunId> => {
  const busy = new Set(jobs.filter(({ status }) => status !== 'waiting_for_runner').map(({ runId }) => runId));
  return new Set(jobs.map(({ runId }) => runId).filter((runId) => !busy.has(runId)));
};

/** `runs`: rows of one page. */
export const idleRuns = async (
  { views }: QueryDeps,
  { tenantId, runs }: { readonly tenantId: string; readonly runs: readonly RunRow[] },
): Promise<Either<ViewFault, ReadonlySet<RunId>>> => {
  const runId = runs.filter(isOpen).map((run) => run.runId);
  if (runId.length === 0) return right(new Set());
  const found = await views.page(jobsView, tenantId, {
    where: { runId, status: ['in_progress', 'canceling', 'waiting_for_runner'] },
    order: [
      { field: 'runId', direction: 'asc' },
      { field: 'jobId', direction: 'asc' },
    ],
    limit: mostJobs,
  });
  return isLeft(found) ? found : right(idleRunsOf(found.right));
};
