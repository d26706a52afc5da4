/** Alerts, settings of rules and expected runtimes. */
import type { TypeOf } from 'io-ts';
import { alertFields } from '../../../domain/identity/detection/alert/events';
import { ExpectedRuntime } from '../../../domain/identity/detection/policy/events';
import { DetectionRuleName, RuleSettings } from '../../../domain/identity/detection/rule-names';
import { fieldsOf, integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { type TableView, table } from '../../kernel/view';

export const AlertRow = record('AlertRow', { tenantId: TenantId, ...alertFields, revision: integer(0) });
export type AlertRow = TypeOf<typeof AlertRow>;

export const alertsView: TableView<AlertRow> = table({
  name: 'identity_alerts',
  version: 1,
  row: AlertRow,
  key: ['tenantId', 'alertId'],
  indexes: [
    ['tenantId', 'decidedAt', 'alertId'],
    ['tenantId', 'severity', 'decidedAt', 'alertId'],
    ['tenantId', 'rule', 'decidedAt', 'alertId'],
    ['tenantId', 'principalId', 'decidedAt', 'alertId'],
  ],
});

export const DetectionRuleRow = record('DetectionRuleRow', {
  tenantId: TenantId,
  rule: DetectionRuleName,
  ...fieldsOf(RuleSettings),
  revision: integer(0),
});
export type DetectionRuleRow = TypeOf<typeof DetectionRuleRow>;

export const detectionRulesView: TableView<DetectionRuleRow> = table({
  name: 'identity_detection_rules',
  version: 1,
  row: DetectionRuleRow,
  key: ['tenantId', 'rule'],
});

export const ExpectedRuntimeRow = record('ExpectedRuntimeRow', {
  tenantId: TenantId,
  ...fieldsOf(ExpectedRuntime),
  revision: integer(0),
});
export type ExpectedRuntimeRow = TypeOf<typeof ExpectedRuntimeRow>;

export const expectedRuntimesView: TableView<ExpectedRuntimeRow> = table({
  name: 'identity_expected_runtimes',
  version: 1,
  row: ExpectedRuntimeRow,
  key: ['tenantId', 'principalId'],
});
