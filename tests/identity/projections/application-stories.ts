/** A client is registered and switched off, a policy set, and a signing key lives its life. */
import { type ClientEvent, clients } from '../../../domain/identity/client/events';
import { type SignInPolicyEvent, signInPolicies } from '../../../domain/identity/sign-in-policy/events';
import { type SigningKeyEvent, signingKeys, signingKeysStream } from '../../../domain/identity/signing-keys/events';
import { evening, noon } from '../examples';
import { hashes, ids, story } from './story';

const [hash] = hashes;
const application = { applicationId: ids.application };

const metadata = {
  name: 'Billing',
  redirectUris: ['https://app.example/callback'],
  postLogoutRedirectUris: [],
  grantTypes: ['authorization_code'],
  authentication: 'client_secret_basic',
  jwks: null,
  jwksUri: null,
  tlsSubject: null,
  scopes: ['principals:read'],
  audiences: ['septet'],
  dpopBound: false,
  certificateBound: false,
  requirePushed: false,
  pkce: 'required',
  exactAuthentication: false,
  firstParty: false,
  servicePrincipalId: null,
  refreshIdleSeconds: 3_600,
  refreshAbsoluteSeconds: 86_400,
};

export const provider = {
  providerId: 'example',
  name: 'Example Ltd',
  issuer: 'https://login.example.org',
  clientId: 'septet',
  provisioning: 'on',
  domains: ['example.org'],
  mfaContexts: [],
};

export const applicationStories = {
  client: story<ClientEvent>({
    family: clients,
    stream: (tenant) => `identity.client-${tenant}.${ids.application}`,
    lines: [
      { type: 'ClientRegistered', data: { ...application, tenantId: 'acme', createdAt: noon, ...metadata } },
      {
        type: 'ClientSecretIssued',
        data: { ...application, credentialId: ids.secret, secretHash: hash, createdAt: noon, expiresAt: evening },
      },
      { type: 'ClientChanged', data: { ...application, ...metadata, name: 'Invoices' } },
      { type: 'ClientSecretRevoked', data: { ...application, credentialId: ids.secret, reason: 'Leaked.' } },
      { type: 'ClientDisabled', data: { ...application, reason: 'Retired.' } },
      { type: 'ClientEnabled', data: { ...application, reason: 'Needed again.' } },
    ],
  }),
  policy: story<SignInPolicyEvent>({
    family: signInPolicies,
    stream: (tenant) => `identity.signInPolicy-${tenant}.policy`,
    lines: [
      { type: 'SignInPolicySet', data: { mfa: 'required', passwords: false, passkeys: true, sessionSeconds: 3_600 } },
      { type: 'ProviderSet', data: { ...provider, password: hash } },
      { type: 'ProviderSet', data: { ...provider, providerId: 'other', password: null } },
      { type: 'ProviderRemoved', data: { providerId: 'other' } },
    ],
  }),
  key: story<SigningKeyEvent>({
    family: signingKeys,
    stream: () => signingKeysStream,
    lines: [
      {
        type: 'KeyCreated',
        data: { kid: ids.kid, algorithm: 'ES256', publicKey: { kty: 'EC' }, keystore: 'local', createdAt: noon },
      },
      { type: 'KeyPublished', data: { kid: ids.kid, publishedAt: noon } },
      { type: 'KeyActivated', data: { kid: ids.kid, activatedAt: noon } },
      { type: 'KeyRetired', data: { kid: ids.kid, retiredAt: evening } },
      { type: 'KeyRevoked', data: { kid: ids.kid, revokedAt: evening, reason: 'Leaked.' } },
    ],
  }),
};
