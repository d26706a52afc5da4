/** Manifest of identity on the query side: queries and streams. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { optional, variables } from '../../infra/server/runtime/config';
import { openAuthEvents, openRefusedRequests, openShadowReports, viewVariables } from '../composition/view-readers';
import { queryContext } from '../kernel/context';
import { streamRoute } from '../kernel/streams/sse-route';
import type { Stream } from '../kernel/streams/stream-definition';
import type { StreamService } from '../kernel/streams/stream-service';
import type { IdentityReading } from './access-rules';
import { getAgentAction, getApproval, listAgentActions, listApprovals } from './approvals';
import { listAuthEvents } from './auth-events';
import { listAuthenticators } from './authenticators';
import { backTestRule } from './back-test';
import { listBuiltInClients } from './built-in-clients';
import { getClient, listClients } from './clients';
import { listAllCredentials, listClientSecrets, listCredentials } from './credentials';
import { getDelegation, listDelegations } from './delegations';
import { getAlert, listAlerts, listDetectionRules, listExpectedRuntimes } from './detection';
import { getGrant, listGrants, listPrincipalGrants } from './grants';
import { getIncident, listIncidents } from './incidents';
import { getCredentialPolicy, getRegistrationPolicy, getSignInPolicy } from './policies';
import { listPolicyDifferences } from './policy-differences';
import { explainPolicyRoute, validatePolicy } from './policy-questions';
import { getPolicyVersion, listPolicyVersions } from './policy-versions';
import { getPrincipalHistory } from './principal-history';
import { getPrincipal, listAuthority, listPrincipals } from './principals';
import { getApi, listApis, listApiTools } from './protected-apis';
import { getRefreshFamily, listRefreshFamilies } from './refresh-families';
import { listRefusedRequests } from './refused-requests';
import { listScopes } from './scopes';
import { listSecurityEvents, securityEventsStream } from './security-events';
import { followSecurityState, getSecurityState } from './security-state';
import { listPrincipalSessions, listSessions } from './sessions';
import { getSignInMethods } from './sign-in-methods';
import { listSigningKeys } from './signing-keys';
import { getTrustRule, getWorkloadIssuer, listTrustRules, listWorkloadIssuers } from './workload-trust';

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
  bind(reading, listDelegations),
  bind(reading, getDelegation),
  bind(reading, listApprovals),
  bind(reading, getApproval),
  bind(reading, listAgentActions),
  bind(reading, getAgentAction),
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
  bind(reading, listWorkloadIssuers),
  bind(reading, getWorkloadIssuer),
  bind(reading, listTrustRules),
  bind(reading, getTrustRule),
  bind(reading, listApis),
  bind(reading, getApi),
  bind(reading, listApiTools),
  bind(reading, listPolicyVersions),
  bind(reading, getPolicyVersion),
  bind({}, validatePolicy),
  bind(reading, explainPolicyRoute),
  bind(reading, listScopes),
  bind(reading, listSigningKeys),
  bind(reading, listAlerts),
  bind(reading, getAlert),
  bind(reading, listDetectionRules),
  bind(reading, listExpectedRuntimes),
  bind(reading, listSecurityEvents),
  bind(reading, listIncidents),
  bind(reading, getIncident),
  ...identityStreams.map((stream) => bind(streaming, streamRoute(stream))),
];

export const context = queryContext({
  config: { ...viewVariables, REDIS_URL: optional(variables.REDIS_URL) },
  open: (values, { reading, streaming, operators, security, logIdentity: log }) => {
    const refusedRequests = openRefusedRequests(values.REDIS_URL);
    const authEvents = openAuthEvents(values);
    const shadows = openShadowReports(values.REDIS_URL);
    return {
      deps: {
        reading: { ...reading, operators },
        streaming,
        state: { streaming, security, operators, log },
        shadows: { shadows, views: reading.views },
        refusals: { refusedRequests, operators },
        decisions: { authEvents, cursors: reading.cursors, operators },
      },
      streams: identityStreams,
      close: async () => void (await Promise.all([refusedRequests.close(), authEvents.close(), shadows.close()])),
    };
  },
  routes: ({ reading, streaming, state, refusals, decisions, shadows }) => [
    ...identityRoutes(reading, streaming),
    bind(refusals, listRefusedRequests),
    bind(shadows, listPolicyDifferences),
    bind(decisions, listAuthEvents),
    bind(decisions, backTestRule),
    bind(state, getSecurityState),
    bind(state, followSecurityState),
  ],
});
