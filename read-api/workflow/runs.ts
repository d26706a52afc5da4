/** GET /repos/:repoId/actions/runs and /actions/runs/:runId: runs, as the specification's view models have them. */
import { hash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { record, text } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { RepositoryId } from '../../domain/workflow/ids';
import { RunStatus } from '../../domain/workflow/run/status';
import { problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import { route } from '../../infra/server/http/routing/route';
import { jobsView } from '../../projections/workflow/jobs/view';
import { repositoriesView } from '../../projections/workflow/repositories/view';
import { RunRow, runsView } from '../../projections/workflow/runs/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { parseMinimumVersion, waitUntilVisible } from '../kernel/read-your-writes';
import { answerFields } from '../kernel/row-answer';
import { type QueryDeps, queryPage, queryRow, waitDeadline } from '../kernel/row-queries';
import { idleRuns } from './idle-runs';
import {
  activitiesOf,
  JobSummary,
  jobsOfRun,
  listProblems,
  noRun,
  RunPath,
  summaryOf,
  timesOf,
  type WorkflowDeps,
} from './jobs';
import { requireParent } from './parent';

const { startedAt: _started, completedAt: _completed, ...fields } = answerFields(RunRow);
const times = { startedAt: fields.createdAt, completedAt: fields.createdAt };

/** A run in a list: without its jobs. */
const ListedRun = record(
  'ListedWorkflowRun',
  {
    ...fields,
    /** It has begun, and no job is in progress now: what is left waits for a runner. */
    waitsForRunner: t.boolean,
  },
  times,
);
const WorkflowRun = record('WorkflowRun', { ...fields, jobs: t.readonlyArray(JobSummary, 'JobSummaries') }, times);

const show = ({ tenantId: _tenant, revision: _revision, startedAt, completedAt, ...row }: RunRow) => ({
  ...row,
  ...timesOf({ startedAt, completedAt }),
});

const filters = {
  branch: text('BranchFilter', { maxLength: 300, description: 'A branch or tag, whole.' }),
  status: RunStatus,
  event: fields.eventType,
  actor: PrincipalId,
  actors: IdList,
};

export const listRuns = route<QueryDeps>()({
  method: 'get',
  path: '/repos/:repoId/actions/runs',
  operation: 'listWorkflowRuns',
  summary: 'List the runs of a repository, newest first',
  access: { scopes: ['workflows:read'] },
  params: record('RepositoryRunsPath', { repoId: RepositoryId }),
  query: pageQuery('ListWorkflowRunsQuery', filters),
  headers: [minPosition],
  answers: pageAnswers('ListWorkflowRunsPage', ListedRun),
  problems: listProblems,
  handle: async (reading, { params: { repoId }, query, ...rest }) => {
    const parent = { view: repositoriesView, key: { repoId }, missing: 'There is no such repository.' };
    const repository = await requireParent(reading, parent, rest);
    if (isLeft(repository)) return repository.left;
    const { branch, status, event, actor, actors, limit, cursor } = query;
    const actorId = actor ?? idsIn(actors);
    const where = { repoId, ...definedFields({ branch, status, eventType: event, actorId }) };
    const request = {
      where,
      order: [
        { field: 'createdAt', direction: 'desc' },
        { field: 'runId', direction: 'asc' },
      ],
    } as const;
    const page = { operation: 'listWorkflowRuns', view: runsView, request, limit, cursor };
    const answer = await queryPage(reading, { ...page, show: (row) => row }, rest);
    if (!('status' in answer) || !('body' in answer)) return answer;
    const body = answer.body as { readonly items: readonly RunRow[]; readonly next_cursor: string | null };
    const idle = await idleRuns(reading, { tenantId: rest.identity.tenantId, runs: body.items });
    if (isLeft(idle)) return problemOf(idle.left, {});
    const items = body.items.map((row) => ({ ...show(row), waitsForRunner: idle.right.has(row.runId) }));
    return { ...answer, body: { ...body, items } };
  },
});

/** Short enough for a tag, whatever the number of jobs. */
const digestOf = (texts: readonly string[]): string => hash('sha256', texts.join(' '), 'base64url').slice(0, 16);

export const getRun = route<WorkflowDeps>()({
  method: 'get',
  path: '/actions/runs/:runId',
  operation: 'getWorkflowRun',
  summary: 'Get a run with its jobs',
  description:
    'Its ETag changes with every change of the run, its jobs and their steps; it is not a revision, so If-Min-Revision does not accept it.',
  access: { scopes: ['workflows:read'] },
  params: RunPath,
  headers: [minPosition, { name: 'If-None-Match', description: 'Answers 304 while the ETag is one of these.' }],
  answers: {
    200: { description: 'The current state.', body: WorkflowRun, headers: ['ETag', 'Position'] },
    304: { description: 'Not modified.', headers: ['ETag', 'Position'] },
  },
  problems: listProblems,
  handle: async (reading, { params: { runId }, ...rest }) => {
    const floor = parseMinimumVersion(rest.headers, { revisions: true });
    if (isLeft(floor)) return floor.left;
    const wanted = { view: jobsView, position: floor.right.position, signal: waitDeadline(rest.signal, floor.right) };
    const position = await waitUntilVisible(reading.positions, wanted);
    if (isLeft(position)) return position.left;
    const query = { view: runsView, key: { runId }, missing: noRun, show: (row: RunRow) => row };
    const answer = await queryRow(reading, query, rest);
    if (!('status' in answer) || !('body' in answer)) return answer;
    const row = answer.body as RunRow;
    const jobs = await jobsOfRun(reading, rest.identity.tenantId, runId);
    if (isLeft(jobs)) return problemOf(jobs.left, {});
    const activities = await activitiesOf(reading, rest.identity.tenantId, runId);
    if (isLeft(activities)) return problemOf(activities.left, {});
    const steps = [...activities.right.values()].map(({ jobId, stepsRevision }) => `${jobId}.${stepsRevision}`);
    // The views of runs and of jobs follow the log each at its own pace, so the tag names the state of both.
    const latest = jobs.right.reduce((most, { revision }) => Math.max(most, revision), -1);
    const reached = BigInt(answer.headers?.Position ?? 0);
    const both = position.right === null || position.right > reached ? reached : position.right;
    const tag = [row.revision, latest, ...(steps.length === 0 ? [] : [digestOf(steps)])].join('.');
    const headers = { ...answer.headers, ...positionHeader(both), ETag: `W/"${tag}"` };
    const summaries = jobs.right.map((job) => summaryOf(job, activities.right));
    return { status: 200, body: { ...show(row), jobs: summaries }, headers };
  },
});
