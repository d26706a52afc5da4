/** GET /actions/runs/:runId/jobs: the jobs of a run with every attempt; and the summaries that a run shows. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fieldsOf, nullable, record, text } from '../../domain/kernel/codec';
import { type JobId, RunId } from '../../domain/workflow/ids';
import type { ViewFault } from '../../infra/ports/views/view-store';
import type { JobActivity, WorkflowActivity } from '../../infra/ports/workflow/activity';
import { commonProblems, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { JobAttemptRow, jobAttemptsView } from '../../projections/workflow/job-attempts/view';
import { JobRow, jobsView } from '../../projections/workflow/jobs/view';
import { runsView } from '../../projections/workflow/runs/view';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { type QueryDeps, queryPage } from '../kernel/row-queries';
import { requireParent } from './parent';

export interface WorkflowDeps extends QueryDeps {
  readonly activity: WorkflowActivity;
}

export const RunPath = record('RunPath', { runId: RunId });
export const noRun = 'There is no such run.';

const { jobId, key, name, needs, labels, status, reason, attempt, leaseEpoch, leaseOwner, runnerType } =
  answerFields(JobRow);
const { assignedAt } = fieldsOf(JobAttemptRow);

/** The name of the step that runs. */
const currentStep = text('CurrentStepName', { minLength: 0, maxLength: 300 });

export const JobSummary = record(
  'JobSummary',
  { jobId, name, status, runnerType, key, needs, attempt, reason },
  {
    startedAt: assignedAt,
    completedAt: assignedAt,
    currentStep,
  },
);
export type JobSummary = t.TypeOf<typeof JobSummary>;

/** Times that are not yet known are left out. */
export const timesOf = ({ startedAt, completedAt }: Pick<JobRow, 'startedAt' | 'completedAt'>) => ({
  ...(startedAt === null ? {} : { startedAt }),
  ...(completedAt === null ? {} : { completedAt }),
});

/** Of the jobs that a runner has now. */
export type Activities = ReadonlyMap<JobId, JobActivity>;

export const summaryOf = (row: JobRow, activities: Activities): JobSummary => {
  const step = activities.get(row.jobId)?.currentStep ?? null;
  return { ...summaryFields(row), ...timesOf(row), ...(step === null ? {} : { currentStep: step }) };
};

const summaryFields = (row: JobRow) => ({
  jobId: row.jobId,
  name: row.name,
  status: row.status,
  runnerType: row.runnerType,
  key: row.key,
  needs: row.needs,
  attempt: row.attempt,
  reason: row.reason,
});

const JobAttempt = record('JobAttempt', answerFields(JobAttemptRow, 'jobId', 'runId'));
const showAttempt = toResponseOf(JobAttempt);

const Job = record(
  'WorkflowJob',
  {
    jobId,
    name,
    status,
    runnerType,
    key,
    needs,
    attempt,
    reason,
    labels,
    leaseEpoch,
    leaseOwner,
    runId: RunId,
    /** Without a heartbeat until then, the attempt is lost. */
    leaseExpiresAt: nullable(assignedAt),
    /** Every attempt that a runner had, oldest first. Logs are kept for each. */
    attempts: t.readonlyArray(JobAttempt, 'JobAttempts'),
  },
  { startedAt: assignedAt, completedAt: assignedAt, currentStep },
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

/** May be a few seconds older than the rows; a job that has ended has none. */
export const activitiesOf = async (
  { activity }: WorkflowDeps,
  tenantId: string,
  runId: RunId,
): Promise<Either<ViewFault, Activities>> => {
  const found = await activity.jobs(tenantId, runId);
  return isLeft(found) ? found : right(new Map(found.right.map((one) => [one.jobId, one])));
};

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

const showJob = (row: JobRow, attempts: readonly JobAttemptRow[], activities: Activities) => ({
  ...summaryOf(row, activities),
  runId: row.runId,
  labels: row.labels,
  leaseEpoch: row.leaseEpoch,
  leaseOwner: row.leaseOwner,
  leaseExpiresAt: activities.get(row.jobId)?.leaseExpiresAt ?? null,
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

export const listJobs = route<WorkflowDeps>()({
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
    const activities = await activitiesOf(reading, rest.identity.tenantId, runId);
    if (isLeft(activities)) return problemOf(activities.left, {});
    const items = body.items.map((row) => showJob(row, attempts.right.get(row.jobId) ?? [], activities.right));
    return { ...answer, body: { ...body, items } };
  },
});
