/** Client registration (RFC 7591), secrets, and disabling. */
import * as t from 'io-ts';
import { Instant, integer, nameText, nullable, oneOf, record, text, withDefault } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId, TenantId } from '../../kernel/ids';
import { ApplicationId, Audience, CredentialId, SecretHash } from '../ids';
import { PublicKey } from '../jwk';
import { Reason } from '../principal/events';
import { Scopes } from '../scopes';

/** In the order in which clients should choose: some libraries take the first that discovery lists. */
export const ClientAuthentication = oneOf('ClientAuthentication', [
  'client_secret_basic',
  'client_secret_post',
  'private_key_jwt',
  'tls_client_auth',
  'self_signed_tls_client_auth',
  'none',
]);

export type ClientAuthentication = t.TypeOf<typeof ClientAuthentication>;

export const GrantType = oneOf('GrantType', [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
]);
export type GrantType = t.TypeOf<typeof GrantType>;

/** RS256 is the default (OpenID Connect Registration section 2). */
export const IdTokenAlgorithm = oneOf('IdTokenAlgorithm', ['RS256', 'ES256', 'EdDSA']);
export type IdTokenAlgorithm = t.TypeOf<typeof IdTokenAlgorithm>;
export const PkceRequirement = oneOf('PkceRequirement', ['required', 'optional']);

const RedirectUri = text('RedirectUri', {
  content: 'address',
  maxLength: 2048,
  examples: ['https://app.example/callback'],
});
export const JwkSet = record('JwkSet', { keys: t.array(PublicKey) });
export type JwkSet = t.TypeOf<typeof JwkSet>;

/** A client_id that is the URL of its metadata document (draft-ietf-oauth-client-id-metadata-document). */
export const MetadataUrl = text('MetadataUrl', {
  content: 'address',
  maxLength: 512,
  examples: ['https://client.example.org/client.json'],
});

/** Complete metadata; a change replaces all of it. */
export const clientMetadata = {
  name: nameText('ClientName', { maxLength: 120, examples: ['Billing console'] }),
  redirectUris: t.array(RedirectUri, 'RedirectUris'),
  postLogoutRedirectUris: t.array(RedirectUri, 'RedirectUris'),
  /** Receives a logout token when a session ends that the client signed into (OpenID Connect Back-Channel Logout 1.0). */
  backchannelLogoutUri: nullable(
    text('LogoutUri', { content: 'address', examples: ['https://app.example/backchannel-logout'], maxLength: 2048 }),
  ),
  /** Its logout tokens must have `sid`; those of others have it, too. */
  backchannelLogoutSessionRequired: t.boolean,
  grantTypes: t.array(GrantType, 'GrantTypes'),
  authentication: ClientAuthentication,
  /** Its secret counts only in the way of `authentication`; otherwise in the header and in the form alike. */
  exactAuthentication: t.boolean,
  /** Public keys for `private_key_jwt` and `self_signed_tls_client_auth`; inline, or fetched from `jwksUri`. */
  jwks: nullable(JwkSet),
  jwksUri: nullable(
    text('JwksUri', { content: 'address', examples: ['https://orders.example.org/jwks.json'], maxLength: 2048 }),
  ),
  /** RFC 8705 section 2.1.2: the certificate's subject, as RFC 4514 writes it. */
  tlsSubject: nullable(text('TlsSubject', { examples: ['CN=orders,O=Example'], maxLength: 1024 })),
  /** Maximum scopes. */
  scopes: Scopes,
  audiences: t.array(Audience, 'Audiences'),
  /** Its tokens are always DPoP-bound. */
  dpopBound: t.boolean,
  /** Its tokens are always certificate-bound (RFC 8705 section 3.4). */
  certificateBound: t.boolean,
  /** Requires pushed authorization requests (RFC 9126). */
  requirePushed: t.boolean,
  /** Signs its ID tokens; null: what signs access tokens, as before there was a choice. */
  idTokenAlgorithm: nullable(IdTokenAlgorithm),
  /** Its ID tokens carry the claims of the scopes `profile` and `email`, not userinfo alone. */
  personClaimsInIdToken: t.boolean,
  /** Held to the FAPI 2.0 Security Profile: its assertions are for the issuer alone. */
  fapi: t.boolean,
  /** PKCE (RFC 7636). Optional for confidential clients only; without it, their OpenID requests need a `nonce`. */
  pkce: PkceRequirement,
  /** First party: no consent. */
  firstParty: t.boolean,
  /** Service principal of client_credentials; null: the client acts for people only. */
  servicePrincipalId: nullable(PrincipalId),
  refreshIdleSeconds: integer(60, 30 * 86_400),
  refreshAbsoluteSeconds: integer(60, 90 * 86_400),
};

/** What people know a client by when they allow it something. */
export const ClientDescription = record('ClientDescription', {
  name: clientMetadata.name,
  redirectUris: clientMetadata.redirectUris,
  authentication: clientMetadata.authentication,
});
export type ClientDescription = t.TypeOf<typeof ClientDescription>;

export type ClientMetadata = Readonly<t.TypeOfProps<typeof clientMetadata>>;

/** Registrations from before these fields keep what their clients do, and what they get. */
const recordedMetadata = {
  ...clientMetadata,
  exactAuthentication: withDefault(clientMetadata.exactAuthentication, false),
  pkce: withDefault(clientMetadata.pkce, 'required'),
  idTokenAlgorithm: withDefault(clientMetadata.idTokenAlgorithm, null),
  personClaimsInIdToken: withDefault(clientMetadata.personClaimsInIdToken, false),
  fapi: withDefault(clientMetadata.fapi, false),
  backchannelLogoutUri: withDefault(clientMetadata.backchannelLogoutUri, null),
  backchannelLogoutSessionRequired: withDefault(clientMetadata.backchannelLogoutSessionRequired, false),
};

/** What a change of a client lets it do that it could not do before. */
const ClientLoosening = oneOf('ClientLoosening', [
  'redirectUris',
  'grantTypes',
  'authentication',
  'scopes',
  'audiences',
  'senderConstraint',
  'requirePushed',
  'fapi',
  'pkce',
  'firstParty',
  'servicePrincipalId',
]);
export type ClientLoosening = t.TypeOf<typeof ClientLoosening>;

export const clients = aggregate(
  { context: 'identity', name: 'client', id: ApplicationId },
  {
    ClientRegistered: {
      v: 1,
      data: { applicationId: ApplicationId, tenantId: TenantId, createdAt: Instant, ...recordedMetadata },
    },
    /** The client registered itself, so the tenant's registration policy applies to it. Its metadata is at `metadataUrl`, or was sent (null). */
    ClientRegisteredItself: { v: 1, data: { applicationId: ApplicationId, metadataUrl: nullable(MetadataUrl) } },
    /** The client was loosened in these respects; a separate event for monitoring. */
    ClientLoosened: { v: 1, data: { applicationId: ApplicationId, respects: t.array(ClientLoosening, 'Respects') } },
    ClientChanged: { v: 1, data: { applicationId: ApplicationId, ...recordedMetadata } },
    /** Consents and grants from before are void, because redirect URIs, the way of authenticating or the need of consent changed. */
    ClientGrantsVoided: { v: 1, data: { applicationId: ApplicationId, at: Instant, was: ClientDescription } },
    ClientSecretIssued: {
      v: 1,
      data: {
        applicationId: ApplicationId,
        credentialId: CredentialId,
        secretHash: SecretHash,
        createdAt: Instant,
        expiresAt: nullable(Instant),
      },
    },
    ClientSecretRevoked: { v: 1, data: { applicationId: ApplicationId, credentialId: CredentialId, reason: Reason } },
    /** The client and its existing tokens are void. */
    ClientDisabled: { v: 1, data: { applicationId: ApplicationId, reason: Reason } },
    ClientEnabled: { v: 1, data: { applicationId: ApplicationId, reason: Reason } },
  },
);
export type ClientEvent = typeof clients.Event;

export const { stream: clientStream } = clients;
