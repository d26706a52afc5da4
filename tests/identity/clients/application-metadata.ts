/** Default metadata of an application. */
import type { ClientMetadata } from '../../../domain/identity/client/events';
import { scope } from '../examples';

export const applicationMetadata = (authentication: ClientMetadata['authentication']): ClientMetadata => ({
  name: 'App',
  redirectUris: ['https://app.example/callback'],
  postLogoutRedirectUris: ['https://app.example/bye'],
  backchannelLogoutUri: null,
  backchannelLogoutSessionRequired: false,
  grantTypes: ['authorization_code', 'refresh_token'],
  authentication,
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  scopes: ['principals:read', 'security:read', 'openid', 'profile', 'email', 'offline_access'].map(scope),
  audiences: ['septet', 'https://files.example'],
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  pkce: 'required',
  exactAuthentication: false,
  idTokenAlgorithm: 'RS256',
  personClaimsInIdToken: false,
  fapi: false,
  firstParty: false,
  servicePrincipalId: null,
  refreshIdleSeconds: 3_600,
  refreshAbsoluteSeconds: 86_400,
});
