/** Facts and commands about applications that tests of this context speak of. */
import type {
  ChangeClient,
  IssueClientSecret,
  RegisterClient,
  RevokeClientSecret,
} from '../../../domain/identity/client/decider';
import type { ClientEvent, ClientLoosening, ClientMetadata } from '../../../domain/identity/client/events';
import type { ApplicationId, CredentialId } from '../../../domain/identity/ids';
import { evening, noon, scope, tenantId } from '../examples';

export const applicationId = 'app-1' as ApplicationId;
export const [reads, writes] = [scope('principals:read'), scope('principals:write')];

/** A web application that people sign in to. */
export const web: ClientMetadata = {
  name: 'Billing',
  redirectUris: ['https://app.example/callback'],
  postLogoutRedirectUris: [],
  backchannelLogoutUri: null,
  backchannelLogoutSessionRequired: false,
  grantTypes: ['authorization_code', 'refresh_token'],
  authentication: 'client_secret_basic',
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  scopes: [scope('openid'), reads],
  audiences: ['septet'],
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  idTokenAlgorithm: 'RS256',
  personClaimsInIdToken: false,
  fapi: false,
  pkce: 'required',
  exactAuthentication: false,
  firstParty: false,
  servicePrincipalId: null,
  refreshIdleSeconds: 3_600,
  refreshAbsoluteSeconds: 86_400,
};

const means = { grantable: [reads, writes], audiences: ['septet', 'https://files.example'] };

export const register = (changes: Partial<ClientMetadata> = {}): RegisterClient => ({
  type: 'RegisterClient',
  applicationId,
  tenantId,
  metadata: { ...web, ...changes },
  means,
  at: noon,
});

export const change = (changes: Partial<ClientMetadata>): ChangeClient => ({
  type: 'ChangeClient',
  applicationId,
  metadata: { ...web, ...changes },
  means,
  at: evening,
});

export const enable = { type: 'EnableClient', applicationId, reason: 'Again.', grantable: means.grantable } as const;

export const issueSecret = (changes: Partial<IssueClientSecret> = {}): IssueClientSecret => ({
  type: 'IssueClientSecret',
  applicationId,
  credentialId: 's-1' as CredentialId,
  secretHash: 'ab'.repeat(32),
  expiresAt: evening,
  grantable: means.grantable,
  at: noon,
  ...changes,
});

export const revokeSecret: RevokeClientSecret = {
  type: 'RevokeClientSecret',
  applicationId,
  credentialId: 's-1' as CredentialId,
  reason: 'Leaked.',
};

export const registered = (changes: Partial<ClientMetadata> = {}): ClientEvent => ({
  type: 'ClientRegistered',
  data: { applicationId, tenantId, createdAt: noon, ...web, ...changes },
});

export const changed = (changes: Partial<ClientMetadata>): ClientEvent => ({
  type: 'ClientChanged',
  data: { applicationId, ...web, ...changes },
});

export const loosened = (...respects: readonly ClientLoosening[]): ClientEvent => ({
  type: 'ClientLoosened',
  data: { applicationId, respects: [...respects] },
});

export const grantsVoided = (was: Partial<ClientMetadata> = {}): ClientEvent => {
  const { name, redirectUris, authentication } = { ...web, ...was };
  return {
    type: 'ClientGrantsVoided',
    data: { applicationId, at: evening, was: { name, redirectUris, authentication } },
  };
};

export const secretIssued = (id = 's-1'): ClientEvent => ({
  type: 'ClientSecretIssued',
  data: {
    applicationId,
    credentialId: id as CredentialId,
    secretHash: 'ab'.repeat(32),
    createdAt: noon,
    expiresAt: evening,
  },
});

export const secretRevoked = (reason = 'Leaked.'): ClientEvent => ({
  type: 'ClientSecretRevoked',
  data: { applicationId, credentialId: 's-1' as CredentialId, reason },
});

export const disabled: ClientEvent = { type: 'ClientDisabled', data: { applicationId, reason: 'Over.' } };
export const enabled: ClientEvent = { type: 'ClientEnabled', data: { applicationId, reason: 'Again.' } };
