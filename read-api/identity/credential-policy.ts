/** GET /v1/credential-policy: how long credentials of the tenant's principals may last. */
import { record } from '../../domain/kernel/codec';
import { credentialPolicyView, KnownCredentialPolicy } from '../../projections/identity/credential-policy/view';
import { showAs } from '../kernel/answer';
import { oneRoute } from '../kernel/route';

export const getCredentialPolicy = oneRoute({
  path: '/v1/credential-policy',
  operation: 'getCredentialPolicy',
  summary: 'How long credentials of the tenant may last, and for which types of principal there are none.',
  description: 'Until a tenant sets one, a credential lasts at most 366 days, and every type may have them.',
  scopes: ['security:read'],
  params: record('NoParams', {}),
  item: KnownCredentialPolicy,
  query: () => ({
    view: credentialPolicyView,
    key: {},
    missing: 'The tenant has set no policy for credentials.',
    show: showAs(KnownCredentialPolicy),
  }),
});
