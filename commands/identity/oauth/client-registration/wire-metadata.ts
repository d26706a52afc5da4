/** Converts client metadata from and to the names of RFC 7591. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  ClientAuthentication,
  type ClientMetadata,
  clientMetadata,
  GrantType,
  IdTokenAlgorithm,
} from '../../../../domain/identity/client/events';
import { Scope } from '../../../../domain/identity/scopes';
import { decode, oneOf, record, text } from '../../../../domain/kernel/codec';
import { type ClientOffer, type Registration, toClientMetadata } from '../../clients/client-metadata';

const addresses = clientMetadata.redirectUris;

const WireMetadata = record(
  'ClientMetadata',
  {},
  {
    client_name: clientMetadata.name,
    redirect_uris: addresses,
    post_logout_redirect_uris: addresses,
    backchannel_logout_uri: text('LogoutUri', {
      content: 'address',
      examples: ['https://app.example/backchannel-logout'],
      maxLength: 2048,
    }),
    backchannel_logout_session_required: t.boolean,
    grant_types: t.array(GrantType, 'GrantTypes'),
    response_types: t.array(oneOf('ResponseType', ['code']), 'ResponseTypes'),
    token_endpoint_auth_method: ClientAuthentication,
    scope: text('ScopeList', { examples: ['openid profile'], maxLength: 4096 }),
    jwks: record('JwkSet', { keys: t.array(t.UnknownRecord, 'Keys') }),
    jwks_uri: text('JwksUri', {
      content: 'address',
      examples: ['https://orders.example.org/jwks.json'],
      maxLength: 2048,
    }),
    tls_client_auth_subject_dn: text('TlsSubject', { examples: ['CN=orders,O=Example'], maxLength: 1024 }),
    dpop_bound_access_tokens: t.boolean,
    tls_client_certificate_bound_access_tokens: t.boolean,
    require_pushed_authorization_requests: t.boolean,
    id_token_signed_response_alg: IdTokenAlgorithm,
    person_claims_in_id_token: t.boolean,
    fapi: t.boolean,
    exact_token_endpoint_auth_method: t.boolean,
    require_pkce: t.boolean,
    software_statement: t.string,
  },
);
type WireMetadata = t.TypeOf<typeof WireMetadata>;

export interface RegistrationRefusal {
  readonly error: 'invalid_client_metadata' | 'invalid_redirect_uri' | 'invalid_software_statement';
  readonly description: string;
}

const invalidMetadata = (
  error: RegistrationRefusal['error'],
  description: string,
): Either<RegistrationRefusal, never> => left({ error, description });

const registrationFlagsOf = (metadata: WireMetadata) => ({
  dpopBound: metadata.dpop_bound_access_tokens ?? false,
  certificateBound: metadata.tls_client_certificate_bound_access_tokens ?? false,
  requirePushed: metadata.require_pushed_authorization_requests ?? false,
  personClaimsInIdToken: metadata.person_claims_in_id_token ?? false,
  fapi: metadata.fapi ?? false,
  exactAuthentication: metadata.exact_token_endpoint_auth_method ?? false,
  pkce: (metadata.require_pkce ?? true) ? ('required' as const) : ('optional' as const),
});

const toRegistration = (metadata: WireMetadata, scopes: readonly Scope[]): Registration => ({
  name: metadata.client_name ?? 'Application without a name',
  scopes: [...scopes],
  grantTypes: metadata.grant_types ?? ['authorization_code'],
  redirectUris: metadata.redirect_uris ?? [],
  postLogoutRedirectUris: metadata.post_logout_redirect_uris ?? [],
  backchannelLogoutUri: metadata.backchannel_logout_uri ?? null,
  backchannelLogoutSessionRequired: metadata.backchannel_logout_session_required ?? false,
  authentication: metadata.token_endpoint_auth_method ?? 'client_secret_basic',
  ...(metadata.jwks === undefined ? {} : { jwks: metadata.jwks }),
  ...(metadata.id_token_signed_response_alg === undefined
    ? {}
    : { idTokenAlgorithm: metadata.id_token_signed_response_alg }),
  jwksUri: metadata.jwks_uri ?? null,
  tlsSubject: metadata.tls_client_auth_subject_dn ?? null,
  ...registrationFlagsOf(metadata),
});

/** Ignores unknown members (RFC 7591 section 2). */
export const parseWireMetadata = (body: unknown, offer: ClientOffer): Either<RegistrationRefusal, ClientMetadata> => {
  const decoded = decode(WireMetadata, body);
  if (isLeft(decoded)) {
    const [{ pointer, expected } = { pointer: '', expected: 'something else' }] = decoded.left;
    const error = pointer.startsWith('/redirect_uris') ? 'invalid_redirect_uri' : 'invalid_client_metadata';
    return invalidMetadata(error, `${pointer} must be ${expected}.`);
  }
  if (decoded.right.software_statement !== undefined)
    return invalidMetadata('invalid_software_statement', 'Software statements are not supported.');
  const words = (decoded.right.scope ?? 'openid').split(' ').filter((word) => word !== '');
  const scopes = words.filter(Scope.is);
  // Unknown ones are ignored, as in requests; the response contains what was registered.
  if (scopes.length === 0 && words.length > 0)
    return invalidMetadata('invalid_client_metadata', 'scope contains no known scope.');
  const metadata = toClientMetadata(toRegistration(decoded.right, scopes), offer);
  return isLeft(metadata) ? invalidMetadata('invalid_client_metadata', metadata.left.detail) : right(metadata.right);
};

/** The registered metadata (RFC 7591 section 3.2.1). */
export const toWireMetadata = (metadata: ClientMetadata) => ({
  client_name: metadata.name,
  redirect_uris: metadata.redirectUris,
  post_logout_redirect_uris: metadata.postLogoutRedirectUris,
  grant_types: metadata.grantTypes,
  response_types: metadata.grantTypes.includes('authorization_code') ? ['code'] : [],
  token_endpoint_auth_method: metadata.authentication,
  scope: metadata.scopes.join(' '),
  dpop_bound_access_tokens: metadata.dpopBound,
  tls_client_certificate_bound_access_tokens: metadata.certificateBound,
  require_pushed_authorization_requests: metadata.requirePushed,
  ...(metadata.idTokenAlgorithm === null ? {} : { id_token_signed_response_alg: metadata.idTokenAlgorithm }),
  person_claims_in_id_token: metadata.personClaimsInIdToken,
  fapi: metadata.fapi,
  exact_token_endpoint_auth_method: metadata.exactAuthentication,
  require_pkce: metadata.pkce === 'required',
  ...(metadata.jwks === null ? {} : { jwks: metadata.jwks }),
  ...(metadata.jwksUri === null ? {} : { jwks_uri: metadata.jwksUri }),
  ...(metadata.backchannelLogoutUri === null
    ? {}
    : {
        backchannel_logout_uri: metadata.backchannelLogoutUri,
        backchannel_logout_session_required: metadata.backchannelLogoutSessionRequired,
      }),
  ...(metadata.tlsSubject === null ? {} : { tls_client_auth_subject_dn: metadata.tlsSubject }),
});
