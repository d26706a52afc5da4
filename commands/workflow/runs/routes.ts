/** Routes of runs on the write side: cancel, retry, and why jobs wait. */
import { isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { integer, oneOf, record } from '../../../domain/kernel/codec';
import { type PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { JobId, RunId } from '../../../domain/workflow/ids';
import { run } from '../../../domain/workflow/run/decider';
import { type JobNode, RetryMode, runStream } from '../../../domain/workflow/run/events';
import type { ConcurrencyGroups, Membership } from '../../../infra/ports/workflow/concurrency-groups';
import { type JobClaims, type WaitingJob, waitingReasons } from '../../../infra/ports/workflow/job-claims';
import { problem, problemOf } from '../../../infra/server/http/problem';
import { type BoundRoute, bind, route } from '../../../infra/server/http/routing/route';
import { type CommandDeps, commandRoute } from '../../kernel/command-route';
import { claimProblems, runProblems } from './problems';
import type { RunRegistry } from './run-registry';

export interface RunRoutesDeps extends CommandDeps {
  readonly claims: Pick<JobClaims, 'waiting'>;
  readonly runs: Pick<RunRegistry, 'load'>;
  readonly groups: Pick<ConcurrencyGroups, 'of'>;
}

const scopes = ['workflows:write'];
const RunPath = record('RunPath', { runId: RunId });
const RunAnswer = record('RunAnswer', { runId: RunId });

const cancelAt = (path: string, operation: string) =>
  commandRoute<CommandDeps>()({
    method: 'post',
    path,
    operation,
    summary: 'Cancel a run',
    description:
      'Waiting jobs are canceled at once; running jobs are asked to end. A second cancel ends them without a grace period. Jobs that succeed before the request reaches them keep their result.',
    scopes,
    sensitive: false,
    params: RunPath,
    answer: RunAnswer,
    decider: run,
    problems: runProblems,
    prepare: ({ params: { runId }, tenantId, identity }) =>
      right({
        stream: runStream(tenantId, runId),
        command: { type: 'CancelRun' as const, runId, by: identity.principalId as PrincipalId, isForced: false },
        answer: { runId },
      }),
  });

const cancelRun = cancelAt('/actions/runs/:runId/cancel', 'cancelRun');
const cancelRunByShortPath = cancelAt('/runs/:runId/cancel', 'cancelRunByShortPath');

const retryRun = commandRoute<CommandDeps>()({
  method: 'post',
  path: '/actions/runs/:runId/retry',
  operation: 'retryRun',
  summary: 'Run an ended run again',
  description:
    'The same commit and definition in a new attempt: `all` jobs, the `failed` ones (also canceled ones), or one `job`, with what depends on them. Other jobs keep their results. A run has at most 50 attempts.',
  scopes,
  sensitive: false,
  params: RunPath,
  body: record('RetryRun', { mode: RetryMode }, { jobId: JobId }),
  answer: RunAnswer,
  decider: run,
  problems: runProblems,
  prepare: ({ params: { runId }, body: { mode, jobId = null }, tenantId, identity }) =>
    right({
      stream: runStream(tenantId, runId),
      command: { type: 'RetryRun' as const, runId, by: identity.principalId as PrincipalId, mode, jobId },
      answer: { runId },
    }),
});

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
const waitingBefore = ({ jobId, needs }: JobNode, pending: readonly Membership[]): WaitingJob => {
  const group = pending.find((member) => member.jobId === null || member.jobId === jobId);
  const common = { jobId, position: 0 };
  if (group !== undefined)
    return { ...common, reason: 'concurrency_group', detail: `Another one holds the concurrency group ${group.name}.` };
  const detail = needs.length === 0 ? 'It is being admitted.' : `It waits for ${needs.join(', ')}.`;
  return { ...common, reason: 'dependency', detail };
};

const listWaitingJobs = route<RunRoutesDeps>()({
  method: 'get',
  path: '/actions/runs/:runId/waiting',
  operation: 'listWaitingJobs',
  summary: 'See why jobs of a run wait',
  description:
    'The first check that fails, in the order of the scheduler: `dependency`, `concurrency_group`, `no_matching_runner`, `quota_exceeded`, `org_limit`, `repo_limit`, `workflow_limit`, `matrix_limit`, `capacity`. `position` counts the waiting jobs of the organization; it is 0 for jobs that wait for others of the run.',
  access: { scopes: ['workflows:read'] },
  params: RunPath,
  answers: { 200: { description: 'The jobs that wait.', body: Waiting } },
  problems: { 'run-unknown': runProblems['run-unknown'], ...claimProblems },
  handle: async ({ runs, claims, groups }, { params: { runId }, identity: { tenantId } }) => {
    if (!TenantId.is(tenantId)) return problem('forbidden', 'The token is of no known tenant.');
    const loaded = await runs.load({ tenantId, runId });
    if (isLeft(loaded)) return problemOf(loaded.left, {});
    const { state } = loaded.right;
    if (state.kind === 'none')
      return problemOf({ kind: 'rejection', code: 'run-unknown', detail: 'There is no such run.' }, runProblems);
    const waiting = await claims.waiting({ tenantId, runId });
    if (isLeft(waiting)) return problemOf(waiting.left, claimProblems);
    const memberships = await groups.of(tenantId, runId);
    if (isLeft(memberships)) return problemOf(memberships.left, claimProblems);
    const pending = memberships.right.filter(({ standing }) => standing === 'pending');
    const created = [...state.jobs.values()].filter(({ status }) => status === 'created');
    const notAdmitted = created.map(({ node }) => waitingBefore(node, pending));
    return { status: 200, body: { jobs: [...waiting.right, ...notAdmitted] } };
  },
});

export const runRoutes = (deps: RunRoutesDeps): readonly BoundRoute[] => [
  bind(deps, cancelRun),
  bind(deps, cancelRunByShortPath),
  bind(deps, retryRun),
  bind(deps, listWaitingJobs),
];
