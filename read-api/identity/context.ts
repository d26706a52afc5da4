/** Manifest of identity on the query side: queries and streams. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { optional, variables } from '../../infra/server/runtime/config';
import { openRefusedRequests } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { streamRoute } from '../kernel/streams/sse-route';
import type { Stream } from '../kernel/streams/stream-definition';
import type { StreamService } from '../kernel/streams/stream-service';
import type { IdentityReading } from './access-rules';
import { listAuthenticators } from './authenticators';
import { listBuiltInClients } from './built-in-clients';
import { getClient, listClients } from './clients';
import { listAllCredentials, listClientSecrets, listCredentials } from './credentials';
import { getGrant, listGrants, listPrincipalGrants } from './grants';
import { getCredentialPolicy, getRegistrationPolicy, getSignInPolicy } from './policies';
import { getPrincipalHistory } from './principal-history';
import { getPrincipal, listAuthority, listPrincipals } from './principals';
import { getRefreshFamily, listRefreshFamilies } from './refresh-families';
import { listRefusedRequests } from './refused-requests';
import { listScopes } from './scopes';
import { listSecurityEvents, securityEventsStream } from './security-events';
import { followSecurityState, getSecurityState } from './security-state';
import { listPrincipalSessions, listSessions } from './sessions';
import { getSignInMethods } from './sign-in-methods';
import { listSigningKeys } from './signing-keys';

export const identityStreams: readonly Stream[] = [securityEventsStream];

export const identityRoutes = (reading: IdentityReading, streaming: StreamService): readonly BoundRoute[] => [
  bind(reading, listPrincipals),
  bind(reading, getPrincipal),
  bind(reading, getPrincipalHistory),
  bind(reading, listAuthority),
  bind(reading, listAuthenticators),
  bind(reading, listAllCredentials),
  bind(reading, listCredentials),
  bind(reading, listPrincipalSessions),
  bind(reading, listPrincipalGrants),
  bind(reading, listSessions),
  bind(reading, listGrants),
  bind(reading, getGrant),
  bind(reading, listRefreshFamilies),
  bind(reading, getRefreshFamily),
  bind(reading, listClients),
  bind(reading, getClient),
  bind({}, listBuiltInClients),
  bind(reading, listClientSecrets),
  bind(reading, getSignInPolicy),
  bind(reading, getSignInMethods),
  bind(reading, getCredentialPolicy),
  bind(reading, getRegistrationPolicy),
  bind({}, listScopes),
  bind(reading, listSigningKeys),
  bind(reading, listSecurityEvents),
  ...identityStreams.map((stream) => bind(streaming, streamRoute(stream))),
];

export const context = queryContext({
  config: { REDIS_URL: optional(variables.REDIS_URL) },
  open: ({ REDIS_URL: redisUrl }, { reading, streaming, operators, security, logIdentity: log }) => {
    const refusedRequests = openRefusedRequests(redisUrl);
    return {
      deps: {
        reading: { ...reading, operators },
        streaming,
        state: { streaming, security, operators, log },
        refusals: { refusedRequests, operators },
      },
      streams: identityStreams,
      close: refusedRequests.close,
    };
  },
  routes: ({ reading, streaming, state, refusals }) => [
    ...identityRoutes(reading, streaming),
    bind(refusals, listRefusedRequests),
    bind(state, getSecurityState),
    bind(state, followSecurityState),
  ],
});
