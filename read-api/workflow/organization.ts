/** GET /v1/workflow/organization: what the caller's organization may use. */
import { integer, record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { defaultSettings } from '../../domain/workflow/limits';
import { commonProblems } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { OrganizationRow, organizationsView } from '../../projections/workflow/organizations/view';
import { minPosition } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';
import { type QueryDeps, queryRow } from '../kernel/row-queries';

const { plan, concurrencyLimit, minutesQuota, isolationPolicy } = answerFields(OrganizationRow);

const Organization = record('WorkflowOrganization', {
  id: TenantId,
  plan,
  /** Null: the plan's value. */
  concurrency_limit: concurrencyLimit,
  minutes_quota: minutesQuota,
  isolation_policy: isolationPolicy,
  /** Of its settings; -1 before they were set. */
  revision: integer(-1),
});

const show = (row: Omit<OrganizationRow, 'tenantId'> & { readonly tenantId: string }) => ({
  id: row.tenantId,
  plan: row.plan,
  concurrency_limit: row.concurrencyLimit,
  minutes_quota: row.minutesQuota,
  isolation_policy: row.isolationPolicy,
  revision: row.revision,
});

const { 'not-yet-visible': notYetVisible, 'view-store-unavailable': unavailable } = commonProblems;

export const getOrganization = route<QueryDeps>()({
  method: 'get',
  path: '/v1/workflow/organization',
  operation: 'getWorkflowOrganization',
  summary: "Get the plan, limits and isolation policy of the caller's organization",
  access: { scopes: ['workflows:read'] },
  headers: [minPosition],
  answers: {
    200: {
      description: 'The settings, or the defaults if none were set.',
      body: Organization,
      headers: ['ETag', 'Position'],
    },
  },
  problems: { 'not-yet-visible': notYetVisible, 'view-store-unavailable': unavailable },
  handle: async (reading, request) => {
    const query = { view: organizationsView, key: {}, missing: 'It was never set.', show };
    const answer = await queryRow(reading, query, request);
    if (!('problem' in answer) || answer.problem.code !== 'not-found') return answer;
    const { tenantId } = request.identity;
    return { status: 200, body: show({ tenantId, ...defaultSettings, revision: -1 }), headers: answer.headers ?? {} };
  },
});
