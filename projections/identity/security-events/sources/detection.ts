/** Rows of alerts, and of what administrators set of detection. */
import { alerts } from '../../../../domain/identity/detection/alert/events';
import { detectionPolicies } from '../../../../domain/identity/detection/policy/events';
import { streamsOf } from '../../../kernel/projection';
import { ofPrincipal, type RowSource, row } from '../row';

export const alertEvents: RowSource = streamsOf(alerts, {
  AlertRaised: (recorded) => {
    const { severity: _severity, principalId: _whose, principalType, jti, ...details } = recorded.data;
    const summary = `Alert: ${details.rule.replaceAll('-', ' ')}.`;
    return ofPrincipal(recorded, { summary, principalType, jti, details });
  },
});

export const detectionPolicyEvents: RowSource = streamsOf(detectionPolicies, {
  DetectionRuleSet: (recorded) => {
    const { rule, settings } = recorded.data;
    return row(recorded, { summary: `Detection rule set: ${rule}.`, details: { rule, ...settings } });
  },
  DetectionRuleLoosened: (recorded) => {
    const { rule, respects } = recorded.data;
    return row(recorded, {
      summary: `Detection loosened: ${rule} (${respects.join(', ')}).`,
      details: { rule, respects },
    });
  },
  ExpectedRuntimeSet: (recorded) => {
    const { workloads, clusters } = recorded.data;
    return ofPrincipal(recorded, { summary: 'Expected runtime set.', details: { workloads, clusters } });
  },
});
