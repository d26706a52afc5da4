/** Rows of the trust in workloads. */
import { type WorkloadTrustEvent, workloadTrusts } from '../../../../domain/identity/workload-trust/events';
import { streamsOf } from '../../../kernel/projection';
import type { RecordedEvent } from '../../../kernel/recorded-event';
import { ofPrincipal, type RowSource, row } from '../row';

type Of<Type extends WorkloadTrustEvent['type']> = RecordedEvent<Extract<WorkloadTrustEvent, { readonly type: Type }>>;

const issuerRow = (recorded: Of<'WorkloadIssuerTrusted' | 'WorkloadIssuerChanged'>, what: string) => {
  const { issuerId, kind, issuer, keysUri, claims, keys } = recorded.data;
  const keyIds = keys?.keys.map(({ kid = null }) => kid) ?? null;
  return row(recorded, {
    summary: `${what}: ${issuer}`,
    details: { issuerId, kind, issuer, keysUri, keyIds, claims },
  });
};

const ruleRow = (recorded: Of<'TrustRuleMade' | 'TrustRuleChanged'>, what: string) => {
  const { ruleId, name, issuerId, conditions, scopes, audience } = recorded.data;
  const summary = `${what}: ${name}, which gives ${scopes.join(', ')}.`;
  return ofPrincipal(recorded, { summary, details: { ruleId, issuerId, conditions, scopes, audience } });
};

export const workloadTrustEvents: RowSource = streamsOf(workloadTrusts, {
  WorkloadIssuerTrusted: (recorded) => issuerRow(recorded, 'Issuer of workload credentials trusted'),
  WorkloadIssuerChanged: (recorded) => issuerRow(recorded, 'Issuer of workload credentials changed'),
  WorkloadIssuerEnded: (recorded) => {
    const { issuerId, reason } = recorded.data;
    const summary = `Trust in an issuer of workload credentials ended, with its rules: ${reason}`;
    return row(recorded, { summary, details: { issuerId, reason } });
  },
  TrustRuleMade: (recorded) => ruleRow(recorded, 'Trust rule made'),
  TrustRuleChanged: (recorded) => ruleRow(recorded, 'Trust rule changed'),
  TrustRuleLoosened: (recorded) => {
    const { ruleId, respects } = recorded.data;
    return ofPrincipal(recorded, {
      summary: `Trust rule loosened: ${respects.join(', ')}.`,
      details: { ruleId, respects },
    });
  },
  TrustRuleEnded: (recorded) => {
    const { ruleId, reason } = recorded.data;
    return row(recorded, { summary: `Trust rule ended: ${reason}`, details: { ruleId, reason } });
  },
});
