import { type WorkloadIssuer, workloadTrusts } from '../../../domain/identity/workload-trust/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import { type WorkloadIssuerRow, workloadIssuersView } from './view';

const fieldsOf = ({ name, kind, issuer, keysUri, keys, claims }: WorkloadIssuer) => ({
  name,
  kind,
  issuer,
  keysUri,
  keyIds: keys?.keys.map(({ kid = '' }) => kid).filter((kid) => kid !== '') ?? null,
  claims: [...claims],
});

export const workloadIssuersProjection = projection(workloadIssuersView, [
  streamsOf(workloadTrusts, {
    ignored: ['TrustRuleMade', 'TrustRuleChanged', 'TrustRuleLoosened', 'TrustRuleEnded'],
    WorkloadIssuerTrusted: ({ data, at }) =>
      putRow<WorkloadIssuerRow>({
        issuerId: data.issuerId,
        createdAt: data.createdAt,
        ...fieldsOf(data),
        status: 'ACTIVE',
        endedAt: null,
        reason: null,
        ...at,
      }),
    WorkloadIssuerChanged: ({ data, at: { tenantId, revision } }) =>
      patchRow<WorkloadIssuerRow>({ tenantId, issuerId: data.issuerId }, { ...fieldsOf(data), revision }),
    WorkloadIssuerEnded: ({ data: { issuerId, reason }, at: { tenantId, revision }, event }) =>
      patchRow<WorkloadIssuerRow>(
        { tenantId, issuerId },
        { status: 'ENDED', endedAt: event.occurredAt, reason, revision },
      ),
  }),
]);
