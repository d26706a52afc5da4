/** GET /v1/workflow/runners: the organization's own runners or those of the installation, and whether each called lately. */
import { isLeft, right } from 'fp-ts/Either';
import { Instant, nullable, oneOf, record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import type { RunnerActivity } from '../../infra/ports/workflow/activity';
import { commonProblems, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { jobsView } from '../../projections/workflow/jobs/view';
import { managedTenant, RunnerRow, runnersView } from '../../projections/workflow/runners/view';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import { type QueryDeps, queryPage } from '../kernel/row-queries';
import type { WorkflowDeps } from './jobs';

const { runnerId, name, type, labels, isolation, currentJobId, registeredAt } = answerFields(RunnerRow);

const Runner = record('WorkflowRunner', {
  id: runnerId,
  name,
  type,
  /** Null: of the installation, for every organization. */
  tenant_id: nullable(TenantId),
  labels,
  isolation,
  /** `offline`: it has missed three heartbeats, or never sent one. What it had is lost when its lease ends. */
  status: oneOf('RunnerStatus', ['idle', 'busy', 'draining', 'offline']),
  /** Of the caller's organization only: a managed runner may be busy with a job of another one. */
  current_job_id: currentJobId,
  registered_at: registeredAt,
  last_heartbeat_at: nullable(Instant),
});

const statusOf = ({ state, currentJobId: job }: RunnerRow, seen: RunnerActivity | undefined) => {
  if (seen?.isReachable !== true) return 'offline';
  if (state === 'draining') return 'draining';
  return job === null ? 'idle' : 'busy';
};

interface Known {
  readonly seen: RunnerActivity | undefined;
  /** Ids of jobs that the caller may know. */
  readonly ownJobs: ReadonlySet<string>;
}

const show = (row: RunnerRow, { seen, ownJobs }: Known) => ({
  id: row.runnerId,
  name: row.name,
  type: row.type,
  tenant_id: row.type === 'managed' ? null : row.tenantId,
  labels: row.labels,
  isolation: row.isolation,
  status: statusOf(row, seen),
  current_job_id: row.currentJobId !== null && ownJobs.has(row.currentJobId) ? row.currentJobId : null,
  registered_at: row.registeredAt,
  last_heartbeat_at: seen?.lastHeartbeatAt ?? null,
});

const { 'not-yet-visible': notYetVisible, 'view-store-unavailable': unavailable } = commonProblems;

const isJob = (id: RunnerRow['currentJobId']) => id !== null;

/** The jobs that the organization has a row of: another one's stay hidden. */
const ownJobsOf = async ({ views }: QueryDeps, tenantId: string, rows: readonly RunnerRow[]) => {
  const jobIds = rows.map(({ currentJobId: id }) => id).filter(isJob);
  if (jobIds.length === 0) return right(new Set<string>());
  const order = [{ field: 'jobId', direction: 'asc' }] as const;
  const jobs = await views.page(jobsView, tenantId, { where: { jobId: jobIds }, order, limit: jobIds.length });
  return isLeft(jobs) ? jobs : right(new Set<string>(jobs.right.map(({ jobId }) => jobId)));
};

export const listRunners = route<WorkflowDeps>()({
  method: 'get',
  path: '/v1/workflow/runners',
  operation: 'listRunners',
  summary: 'List the runners of the organization or of the installation, newest first',
  description:
    'Without `type`, the runners of the organization. Those of type `managed` belong to the installation and take jobs of every organization.',
  access: { scopes: ['workflows:read'] },
  query: pageQuery('ListRunnersQuery', { type }),
  headers: [minPosition],
  answers: pageAnswers('ListRunnersPage', Runner),
  problems: { 'not-yet-visible': notYetVisible, 'view-store-unavailable': unavailable },
  handle: async (reading, { query: { limit, cursor, type: wanted = 'self_hosted' }, ...rest }) => {
    const { tenantId } = rest.identity;
    const owner = wanted === 'managed' ? managedTenant : tenantId;
    const request = {
      where: { state: ['registered', 'draining'], type: wanted },
      order: [
        { field: 'registeredAt', direction: 'desc' },
        { field: 'runnerId', direction: 'asc' },
      ],
    } as const;
    const page = { operation: 'listRunners', view: runnersView, request, limit, cursor, show: (row: RunnerRow) => row };
    const answer = await queryPage(reading, page, { ...rest, identity: { ...rest.identity, tenantId: owner } });
    if (!('status' in answer) || !('body' in answer)) return answer;
    const body = answer.body as { readonly items: readonly RunnerRow[]; readonly next_cursor: string | null };
    const ids = body.items.map((row) => row.runnerId);
    const seen = await reading.activity.runners(owner, ids);
    if (isLeft(seen)) return problemOf(seen.left, {});
    const ownJobs = await ownJobsOf(reading, tenantId, body.items);
    if (isLeft(ownJobs)) return problemOf(ownJobs.left, {});
    const byId = new Map(seen.right.map((one) => [one.runnerId, one]));
    const items = body.items.map((row) => show(row, { seen: byId.get(row.runnerId), ownJobs: ownJobs.right }));
    return { ...answer, body: { ...body, items } };
  },
});
