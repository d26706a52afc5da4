import { accessPolicies } from '../../../domain/identity/policy/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type PolicyDocumentRow, policyDocumentsView } from './view';

export const policyDocumentsProjection = projection(policyDocumentsView, [
  streamsOf(accessPolicies, {
    ignored: ['AccessPolicyShadowed', 'AccessPolicyShadowEnded', 'AccessPolicyEnforced', 'AccessPolicyTurnedOff'],
    AccessPolicyDrafted: ({ data: { version, document }, at }) =>
      putRow<PolicyDocumentRow>({ version, document, ...at }),
  }),
]);
