/** GET /actions/runs/:runId/jobs: the jobs of a run with every attempt; and the summaries that a run shows. */
import { type Either, isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldsOf, record } from '../../domain/kernel/codec';
import { RunId } from '../../domain/workflow/ids';
import { commonProblems, problemOf } from '../../infra/http/problem';
import { route } from '../../infra/http/routing/route';
import type { ViewFault } from '../../infra/ports/views/view-store';
import { JobAttemptRow, jobAttemptsView } from '../../projections/workflow/job-attempts/view';
import { JobRow, jobsView } from '../../projections/workflow/jobs/view';
import { runsView } from '../../projections/workflow/runs/view';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { type QueryDeps, queryPage } from '../kernel/row-queries';
import { requireParent } from './parent';

export const RunPath = record('RunPath', { runId: RunId });
export const noRun = 'There is no such run.';

const { jobId, key, name, needs, labels, status, reason, attempt, leaseEpoch, leaseOwner, runnerType } =
  answerFields(JobRow);
const { assignedAt } = fieldsOf(JobAttemptRow);

export const JobSummary = record(
  'JobSummary',
  { jobId, name, status, runnerType, key, needs, attempt, reason },
  { startedAt: assignedAt, completedAt: assignedAt },
);
export type JobSummary = t.TypeOf<typeof JobSummary>;

/** Times that are not yet known are left out. */
export const timesOf = ({ startedAt, completedAt }: Pick<JobRow, 'startedAt' | 'completedAt'>) => ({
  ...(startedAt === null ? {} : { startedAt }),
  ...(completedAt === null ? {} : { completedAt }),
});

export const summaryOf = (row: JobRow): JobSummary => ({
  jobId: row.jobId,
  name: row.name,
  status: row.status,
  runnerType: row.runnerType,
  key: row.key,
  needs: row.needs,
  attempt: row.attempt,
  reason: row.reason,
  ...timesOf(row),
});

const JobAttempt = record('JobAttempt', answerFields(JobAttemptRow, 'jobId', 'runId'));
const showAttempt = toResponseOf(JobAttempt);

const Job = record(
  'WorkflowJob',
  {
    ...{ jobId, name, status, runnerType, key, needs, attempt, reason, labels, leaseEpoch, leaseOwner },
    runId: RunId,
    /** Every attempt that a runner had, oldest first. Logs are kept for each. */
    attempts: t.readonlyArray(JobAttempt, 'JobAttempts'),
  },
  { startedAt: assignedAt, completedAt: assignedAt },
);

/** The jobs of a run are at most so many. */
const mostJobs = 1_000;

export const jobsOfRun = (
  { views }: QueryDeps,
  tenantId: string,
  runId: RunId,
): Promise<Either<ViewFault, readonly JobRow[]>> =>
  views.page(jobsView, tenantId, {
    where: { runId },
    order: [{ field: 'jobId', direction: 'asc' }],
    limit: mostJobs,
  });

/** Attempts of the jobs of one page; a job has at most 50. */
const attemptsOf = async ({ views }: QueryDeps, tenantId: string, rows: readonly JobRow[]) => {
  const found = await views.page(jobAttemptsView, tenantId, {
    where: { jobId: rows.map((row) => row.jobId) },
    order: [
      { field: 'jobId', direction: 'asc' },
      { field: 'attempt', direction: 'asc' },
    ],
    limit: 10_000,
  });
  if (isLeft(found)) return found;
  const byJob = new Map<string, JobAttemptRow[]>();
  for (const row of found.right) byJob.set(row.jobId, [...(byJob.get(row.jobId) ?? []), row]);
  return { ...found, right: byJob };
};

const showJob = (row: JobRow, attempts: readonly JobAttemptRow[]) => ({
  ...summaryOf(row),
  runId: row.runId,
  labels: row.labels,
  leaseEpoch: row.leaseEpoch,
  leaseOwner: row.leaseOwner,
  attempts: attempts.map(showAttempt),
});

const {
  'not-found': notFound,
  'not-yet-visible': notYetVisible,
  'view-store-unavailable': unavailable,
} = commonProblems;
export const listProblems = {
  'not-found': notFound,
  'not-yet-visible': notYetVisible,
  'view-store-unavailable': unavailable,
};

export const listJobs = route<QueryDeps>()({
  method: 'get',
  path: '/actions/runs/:runId/jobs',
  operation: 'listWorkflowJobs',
  summary: 'List the jobs of a run, with every attempt and its steps',
  access: { scopes: ['workflows:read'] },
  params: RunPath,
  query: pageQuery('ListWorkflowJobsQuery', {}),
  headers: [minPosition],
  answers: pageAnswers('ListWorkflowJobsPage', Job),
  problems: listProblems,
  handle: async (reading, { params: { runId }, query, ...rest }) => {
    const run = await requireParent(reading, { view: runsView, key: { runId }, missing: noRun }, rest);
    if (isLeft(run)) return run.left;
    const answer = await queryPage(
      reading,
      {
        operation: 'listWorkflowJobs',
        view: jobsView,
        request: { where: { runId }, order: [{ field: 'jobId', direction: 'asc' }] },
        limit: query.limit,
        cursor: query.cursor,
        show: (row) => row,
      },
      rest,
    );
    if (!('status' in answer) || !('body' in answer)) return answer;
    const body = answer.body as { readonly items: readonly JobRow[]; readonly next_cursor: string | null };
    const attempts = await attemptsOf(reading, rest.identity.tenantId, body.items);
    if (isLeft(attempts)) return problemOf(attempts.left, {});
    const items = body.items.map((row) => showJob(row, attempts.right.get(row.jobId) ?? []));
    return { ...answer, body: { ...body, items } };
  },
});
