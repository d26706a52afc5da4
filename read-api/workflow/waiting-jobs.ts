/** GET /actions/runs/:runId/waiting: why jobs of a run wait. */
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { integer, oneOf, record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { JobId } from '../../domain/workflow/ids';
import type { Membership } from '../../infra/ports/workflow/concurrency-groups';
import { type WaitingJob, type WaitingJobs, waitingReasons } from '../../infra/ports/workflow/waiting-jobs';
import { type ProblemTable, problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import type { Job, RunReader } from '../../infra/server/workflow/run-reader';
import { RunPath } from './jobs';

export interface WaitingJobsDeps {
  readonly readRun: RunReader;
  readonly waiting: WaitingJobs;
}

const problems = {
  'run-unknown': { status: 404, title: 'There is no such run' },
  'concurrency-groups-unavailable': { status: 503, title: 'Concurrency groups are unavailable' },
  'job-claims-unavailable': { status: 503, title: 'The job queue is unavailable' },
} as const satisfies ProblemTable;

const Waiting = record('WaitingJobs', {
  jobs: t.readonlyArray(
    record('WaitingJob', {
      jobId: JobId,
      reason: oneOf('WaitingReason', waitingReasons),
      detail: t.string,
      /** From 1, among the waiting jobs of the organization; 0 for jobs that wait for others of the run. */
      position: integer(0),
    }),
  ),
});

/** Of a job that does not wait for a runner yet. */
const waitingBefore = ({ jobId, needs }: Job['node'], pending: readonly Membership[]): WaitingJob => {
  const group = pending.find((member) => member.jobId === null || member.jobId === jobId);
  const common = { jobId, position: 0 };
  if (group !== undefined)
    return { ...common, reason: 'concurrency_group', detail: `Another one holds the concurrency group ${group.name}.` };
  const detail = needs.length === 0 ? 'The job is about to be admitted.' : `It waits for ${needs.join(', ')}.`;
  return { ...common, reason: 'dependency', detail };
};

export const listWaitingJobs = route<WaitingJobsDeps>()({
  method: 'get',
  path: '/actions/runs/:runId/waiting',
  operation: 'listWaitingJobs',
  summary: 'See why jobs of a run wait',
  description:
    'The first check that fails, in the order of the scheduler: `dependency`, `concurrency_group`, `no_matching_runner`, `quota_exceeded`, `org_limit`, `repo_limit`, `workflow_limit`, `matrix_limit`, `capacity`. `position` counts the waiting jobs of the organization; it is 0 for jobs that wait for others of the run.',
  access: { scopes: ['workflows:read'] },
  params: RunPath,
  answers: { 200: { description: 'The jobs that wait.', body: Waiting } },
  problems,
  handle: async ({ readRun, waiting }, { params: { runId }, identity: { tenantId } }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The tenant of the token is unknown.');
    const loaded = await readRun({ tenantId, runId });
    if (isLeft(loaded)) return problemOf(loaded.left, {});
    const state = loaded.right;
    if (state.kind === 'none')
      return problemOf({ kind: 'rejection', code: 'run-unknown', detail: 'There is no such run.' }, problems);
    const claims = await waiting.claims({ tenantId, runId });
    if (isLeft(claims)) return problemOf(claims.left, problems);
    const memberships = await waiting.groups(tenantId, runId);
    if (isLeft(memberships)) return problemOf(memberships.left, problems);
    const pending = memberships.right.filter(({ standing }) => standing === 'pending');
    const created = [...state.jobs.values()].filter(({ status }) => status === 'created');
    const notAdmitted = created.map(({ node }) => waitingBefore(node, pending));
    return { status: 200, body: { jobs: [...claims.right, ...notAdmitted] } };
  },
});
