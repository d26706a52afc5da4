/** Plan, limits and policy of each organization that has set them. */
import type { TypeOf } from 'io-ts';
import { integer, nullable, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { Plan } from '../../../domain/workflow/limits';
import { Isolation } from '../../../domain/workflow/organization/events';
import { type TableView, table } from '../../kernel/view';

export const OrganizationRow = record('OrganizationRow', {
  tenantId: TenantId,
  plan: Plan,
  /** Null: the plan's value. */
  concurrencyLimit: nullable(integer(1, 100_000)),
  minutesQuota: nullable(integer(0, 100_000_000)),
  isolationPolicy: Isolation,
  revision: integer(0),
});
export type OrganizationRow = TypeOf<typeof OrganizationRow>;

export const organizationsView: TableView<OrganizationRow> = table({
  name: 'workflow_organizations',
  version: 1,
  row: OrganizationRow,
  key: ['tenantId'],
});
