/** Runners of organizations and of the installation, and the job that each has. Whether one is reachable is no event. */
import type { TypeOf } from 'io-ts';
import { platformTenant } from '../../../domain/identity/ids';
import { Instant, integer, listOf, nullable, oneOf, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { JobId, RunnerId } from '../../../domain/workflow/ids';
import { Isolation } from '../../../domain/workflow/organization/events';
import { RunnerLabel, RunnerType } from '../../../domain/workflow/run/events';
import { RunnerName } from '../../../domain/workflow/runner/events';
import { type TableView, table } from '../../kernel/view';

const RunnerState = oneOf('RunnerState', ['registered', 'draining', 'removed']);

export const RunnerRow = record('RunnerRow', {
  tenantId: TenantId,
  runnerId: RunnerId,
  name: RunnerName,
  type: RunnerType,
  labels: listOf('RunnerRowLabels', RunnerLabel, 50),
  isolation: Isolation,
  state: RunnerState,
  /** The latest job that was assigned to it and has not ended. */
  currentJobId: nullable(JobId),
  registeredAt: Instant,
  revision: integer(0),
});
export type RunnerRow = TypeOf<typeof RunnerRow>;

/** Whose rows managed runners are: they take jobs of every tenant. */
export const managedTenant: TenantId = platformTenant;

export const runnersView: TableView<RunnerRow> = table({
  name: 'workflow_runners',
  version: 2,
  row: RunnerRow,
  key: ['tenantId', 'runnerId'],
  indexes: [['tenantId', 'currentJobId']],
});
