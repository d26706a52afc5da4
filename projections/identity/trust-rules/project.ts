import { type TrustRule, workloadTrusts } from '../../../domain/identity/workload-trust/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import { type TrustRuleRow, trustRulesView } from './view';

const fieldsOf = ({ name, issuerId, conditions, principalId, scopes, audience }: TrustRule) => ({
  name,
  issuerId,
  conditions: [...conditions],
  principalId,
  scopes: [...scopes],
  audience,
});

export const trustRulesProjection = projection(trustRulesView, [
  streamsOf(workloadTrusts, {
    ignored: ['WorkloadIssuerTrusted', 'WorkloadIssuerChanged', 'TrustRuleLoosened'],
    TrustRuleMade: ({ data, at }) =>
      putRow<TrustRuleRow>({
        ruleId: data.ruleId,
        createdAt: data.createdAt,
        ...fieldsOf(data),
        status: 'ACTIVE',
        endedAt: null,
        reason: null,
        ...at,
      }),
    TrustRuleChanged: ({ data, at: { tenantId, revision } }) =>
      patchRow<TrustRuleRow>({ tenantId, ruleId: data.ruleId }, { ...fieldsOf(data), revision }),
    TrustRuleEnded: ({ data: { ruleId, reason }, at: { tenantId, revision }, event }) =>
      patchRow<TrustRuleRow>({ tenantId, ruleId }, { status: 'ENDED', endedAt: event.occurredAt, reason, revision }),
    WorkloadIssuerEnded: ({ data: { issuerId, reason }, at: { tenantId, revision }, event }) =>
      patchRowsWhere<TrustRuleRow>(
        { tenantId, issuerId, status: 'ACTIVE' },
        { status: 'ENDED', endedAt: event.occurredAt, reason, revision },
      ),
  }),
]);
