/** GET /v1/workflow/runners: the organization's own runners, and whether each called lately. */
import { isLeft } from 'fp-ts/Either';
import { Instant, nullable, oneOf, record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import type { RunnerActivity } from '../../infra/ports/workflow/activity';
import { commonProblems, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { RunnerRow, runnersView } from '../../projections/workflow/runners/view';
import { pageAnswers, pageQuery } from '../kernel/pagination';
import { minPosition } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import { queryPage } from '../kernel/row-queries';
import type { WorkflowDeps } from './jobs';

const { runnerId, name, type, labels, isolation, currentJobId, registeredAt } = answerFields(RunnerRow);

const Runner = record('WorkflowRunner', {
  id: runnerId,
  name,
  type,
  tenant_id: nullable(TenantId),
  labels,
  isolation,
  /** `offline`: it has missed three heartbeats, or never sent one. What it had is lost when its lease ends. */
  status: oneOf('RunnerStatus', ['idle', 'busy', 'draining', 'offline']),
  current_job_id: currentJobId,
  registered_at: registeredAt,
  last_heartbeat_at: nullable(Instant),
});

const statusOf = ({ state, currentJobId: job }: RunnerRow, seen: RunnerActivity | undefined) => {
  if (seen?.isReachable !== true) return 'offline';
  if (state === 'draining') return 'draining';
  return job === null ? 'idle' : 'busy';
};

const show = (row: RunnerRow, seen: RunnerActivity | undefined) => ({
  id: row.runnerId,
  name: row.name,
  type: row.type,
  tenant_id: row.tenantId,
  labels: row.labels,
  isolation: row.isolation,
  status: statusOf(row, seen),
  current_job_id: row.currentJobId,
  registered_at: row.registeredAt,
  last_heartbeat_at: seen?.lastHeartbeatAt ?? null,
});

const { 'not-yet-visible': notYetVisible, 'view-store-unavailable': unavailable } = commonProblems;

export const listRunners = route<WorkflowDeps>()({
  method: 'get',
  path: '/v1/workflow/runners',
  operation: 'listRunners',
  summary: 'List the runners of the organization, newest first',
  access: { scopes: ['workflows:read'] },
  query: pageQuery('ListRunnersQuery', {}),
  headers: [minPosition],
  answers: pageAnswers('ListRunnersPage', Runner),
  problems: { 'not-yet-visible': notYetVisible, 'view-store-unavailable': unavailable },
  handle: async (reading, { query: { limit, cursor }, ...rest }) => {
    const request = {
      where: { state: ['registered', 'draining'] },
      order: [
        { field: 'registeredAt', direction: 'desc' },
        { field: 'runnerId', direction: 'asc' },
      ],
    } as const;
    const page = { operation: 'listRunners', view: runnersView, request, limit, cursor, show: (row: RunnerRow) => row };
    const answer = await queryPage(reading, page, rest);
    if (!('status' in answer) || !('body' in answer)) return answer;
    const body = answer.body as { readonly items: readonly RunnerRow[]; readonly next_cursor: string | null };
    const ids = body.items.map((row) => row.runnerId);
    const seen = await reading.activity.runners(rest.identity.tenantId, ids);
    if (isLeft(seen)) return problemOf(seen.left, {});
    const byId = new Map(seen.right.map((one) => [one.runnerId, one]));
    return { ...answer, body: { ...body, items: body.items.map((row) => show(row, byId.get(row.runnerId))) } };
  },
});
