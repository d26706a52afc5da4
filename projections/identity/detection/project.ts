import { alerts } from '../../../domain/identity/detection/alert/events';
import { detectionPolicies } from '../../../domain/identity/detection/policy/events';
import { projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import {
  type AlertRow,
  alertsView,
  type DetectionRuleRow,
  detectionRulesView,
  type ExpectedRuntimeRow,
  expectedRuntimesView,
} from './view';

export const alertsProjection = projection(alertsView, [
  streamsOf(alerts, { AlertRaised: ({ data, at }) => putRow<AlertRow>({ ...data, ...at }) }),
]);

export const detectionRulesProjection = projection(detectionRulesView, [
  streamsOf(detectionPolicies, {
    ignored: ['DetectionRuleLoosened', 'ExpectedRuntimeSet'],
    DetectionRuleSet: ({ data: { rule, settings }, at }) => putRow<DetectionRuleRow>({ rule, ...settings, ...at }),
  }),
]);

export const expectedRuntimesProjection = projection(expectedRuntimesView, [
  streamsOf(detectionPolicies, {
    ignored: ['DetectionRuleLoosened', 'DetectionRuleSet'],
    ExpectedRuntimeSet: ({ data, at }) => {
      const { principalId, workloads, clusters } = data;
      if (workloads.length + clusters.length === 0)
        return removeRow<ExpectedRuntimeRow>({ tenantId: at.tenantId, principalId });
      return putRow<ExpectedRuntimeRow>({ principalId, workloads: [...workloads], clusters: [...clusters], ...at });
    },
  }),
]);
