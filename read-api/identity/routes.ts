/** What the query side serves of identity. */
import { type BoundRoute, bind } from '../../infra/http/route';
import type { Stream } from '../kernel/stream';
import { streamRoute } from '../kernel/stream-route';
import type { Streaming } from '../kernel/streaming';
import { listAuthenticators } from './authenticators';
import { getClient, listClients } from './clients';
import { getCredentialPolicy } from './credential-policy';
import { listClientSecrets, listCredentials } from './credentials';
import { getGrant, listGrants, listPrincipalGrants } from './grants';
import type { IdentityReading } from './of-platform';
import { getPrincipalHistory } from './principal-history';
import { getPrincipal, listAuthority, listPrincipals } from './principals';
import { getRefreshFamily, listRefreshFamilies } from './refresh-families';
import { listSecurityEvents, securityEventsStream } from './security-events';
import { listPrincipalSessions, listSessions } from './sessions';
import { getSignInPolicy } from './sign-in-policy';
import { listSigningKeys } from './signing-keys';

export const identityStreams: readonly Stream[] = [securityEventsStream];

export const identityRoutes = (reading: IdentityReading, streaming: Streaming): readonly BoundRoute[] => [
  bind(reading, listPrincipals),
  bind(reading, getPrincipal),
  bind(reading, getPrincipalHistory),
  bind(reading, listAuthority),
  bind(reading, listAuthenticators),
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
  bind(reading, listClientSecrets),
  bind(reading, getSignInPolicy),
  bind(reading, getCredentialPolicy),
  bind(reading, listSigningKeys),
  bind(reading, listSecurityEvents),
  ...identityStreams.map((stream) => bind(streaming, streamRoute(stream))),
];
