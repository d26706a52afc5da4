/** GET /v1/workflow/runners: the organization's own runners. */
import { nullable, oneOf, record } from '../../domain/kernel/codec';
import { TenantId } from '../../domain/kernel/ids';
import { RunnerRow, runnersView } from '../../projections/workflow/runners/view';
import { pageRoute } from '../kernel/query-routes';
import { answerFields } from '../kernel/row-answer';

const { runnerId, name, type, labels, isolation, currentJobId, registeredAt } = answerFields(RunnerRow);

const Runner = record('WorkflowRunner', {
  id: runnerId,
  name,
  type,
  tenant_id: nullable(TenantId),
  labels,
  isolation,
  /** As far as the log knows: `idle` says nothing of whether the runner is reachable. */
  status: oneOf('RunnerStatus', ['idle', 'busy', 'draining']),
  current_job_id: currentJobId,
  registered_at: registeredAt,
});

const statusOf = ({ state, currentJobId: job }: RunnerRow) => {
  if (state === 'draining') return 'draining';
  return job === null ? 'idle' : 'busy';
};

export const listRunners = pageRoute({
  path: '/v1/workflow/runners',
  operation: 'listRunners',
  summary: 'List the runners of the organization, newest first',
  scopes: ['workflows:read'],
  params: record('NoParams', {}),
  item: Runner,
  view: runnersView,
  filters: {},
  order: [
    { field: 'registeredAt', direction: 'desc' },
    { field: 'runnerId', direction: 'asc' },
  ],
  rows: () => ({ where: { state: ['registered', 'draining'] } }),
  show: (row) => ({
    id: row.runnerId,
    name: row.name,
    type: row.type,
    tenant_id: row.tenantId,
    labels: row.labels,
    isolation: row.isolation,
    status: statusOf(row),
    current_job_id: row.currentJobId,
    registered_at: row.registeredAt,
  }),
});
