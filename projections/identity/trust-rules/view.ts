/** Rules by which workloads act as principals. They end with their issuer. */
import type { TypeOf } from 'io-ts';
import * as t from 'io-ts';
import { TrustRuleId } from '../../../domain/identity/ids';
import { Reason } from '../../../domain/identity/principal/events';
import { Scopes } from '../../../domain/identity/scopes';
import { TrustCondition, trustRuleFields } from '../../../domain/identity/workload-trust/events';
import { fieldsOf, Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';
import { TrustStatus } from '../workload-issuers/view';

const { name, issuerId, principalId, audience } = trustRuleFields;

export const TrustRuleRow = record('TrustRuleRow', {
  tenantId: TenantId,
  ruleId: TrustRuleId,
  name,
  issuerId,
  conditions: t.array(record('KnownTrustCondition', fieldsOf(TrustCondition)), 'KnownTrustConditions'),
  principalId,
  scopes: Scopes,
  audience,
  status: TrustStatus,
  createdAt: Instant,
  endedAt: nullable(Instant),
  reason: nullable(Reason),
  revision: integer(0),
});
export type TrustRuleRow = TypeOf<typeof TrustRuleRow>;

export const trustRulesView: TableView<TrustRuleRow> = table({
  name: 'identity_trust_rules',
  version: 1,
  row: TrustRuleRow,
  key: ['tenantId', 'ruleId'],
  indexes: [
    ['tenantId', 'createdAt', 'ruleId'],
    ['tenantId', 'issuerId', 'createdAt', 'ruleId'],
  ],
});
