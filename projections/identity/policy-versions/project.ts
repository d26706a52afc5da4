import { accessPolicies } from '../../../domain/identity/policy/events';
import { patchRow, patchRowsWhere, projection, putRow, streamsOf } from '../../kernel/projection';
import { type PolicyVersionRow, policyVersionsView } from './view';

type Tenant = Pick<PolicyVersionRow, 'tenantId'>;

const endEnforcement = ({ tenantId }: Tenant) =>
  patchRowsWhere<PolicyVersionRow>({ tenantId, isEnforced: true }, { isEnforced: false });
const endShadow = ({ tenantId }: Tenant) =>
  patchRowsWhere<PolicyVersionRow>({ tenantId, isShadow: true }, { isShadow: false });

export const policyVersionsProjection = projection(policyVersionsView, [
  streamsOf(accessPolicies, {
    AccessPolicyDrafted: ({ data: { version, note, document }, at, event }) =>
      putRow<PolicyVersionRow>({
        version,
        note,
        rules: document.rules.length,
        draftedAt: event.occurredAt,
        draftedBy: event.actor,
        isEnforced: false,
        isShadow: false,
        enforcedAt: null,
        ...at,
      }),
    AccessPolicyShadowed: ({ data: { version }, at: { tenantId, revision } }) => [
      ...endShadow({ tenantId }),
      ...patchRow<PolicyVersionRow>({ tenantId, version }, { isShadow: true, revision }),
    ],
    AccessPolicyShadowEnded: ({ at: { tenantId } }) => endShadow({ tenantId }),
    AccessPolicyEnforced: ({ data: { version }, at: { tenantId, revision }, event }) => [
      ...endEnforcement({ tenantId }),
      ...patchRow<PolicyVersionRow>(
        { tenantId, version },
        { isEnforced: true, isShadow: false, enforcedAt: event.occurredAt, revision },
      ),
    ],
    AccessPolicyTurnedOff: ({ at: { tenantId } }) => endEnforcement({ tenantId }),
  }),
]);
