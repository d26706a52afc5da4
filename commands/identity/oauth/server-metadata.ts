/** Server metadata (RFC 8414, OpenID Connect Discovery). Lists only endpoints that are served. */
import * as t from 'io-ts';
import { Prompt } from '../../../domain/identity/authorization/authorization-request';
import { ClientAuthentication } from '../../../domain/identity/client/events';
import { adminScopes, personScopes } from '../../../domain/identity/scopes';
import { oneOf, record, text } from '../../../domain/kernel/codec';
import { proofAlgorithms } from '../../../packages/resource-server/src/verification/index';
import { tokenExchangeGrant } from '../token-exchange/exchange-grant';
import { assertionAlgorithms } from './client-authentication/client-assertion';
import { grantTypeNames } from './token/grant-types';

export interface ServedEndpoints {
  readonly issuer: string;
  /** Paths of all served routes. */
  readonly paths: ReadonlySet<string>;
  /** Algorithms of the signing keys. */
  readonly algorithms: readonly string[];
  /** Whether a client_id may be the URL of a metadata document. */
  readonly takesMetadataDocuments: boolean;
}

const endpoints = {
  authorization_endpoint: '/oauth/authorize',
  token_endpoint: '/oauth/token',
  jwks_uri: '/oauth/jwks',
  userinfo_endpoint: '/oauth/userinfo',
  revocation_endpoint: '/oauth/revoke',
  introspection_endpoint: '/oauth/introspect',
  pushed_authorization_request_endpoint: '/oauth/par',
  device_authorization_endpoint: '/oauth/device_authorization',
  end_session_endpoint: '/oauth/logout',
  registration_endpoint: '/oauth/register',
} as const;

/** Endpoints that authenticate clients like the token endpoint. */
const authenticatingEndpoints = ['token_endpoint', 'revocation_endpoint', 'introspection_endpoint'] as const;

const url = text('MetadataUrl', { examples: ['https://septet.example.org/oauth/token'], maxLength: 2048 });
const metadataWords = t.array(
  text('MetadataWord', { examples: ['authorization_code'], maxLength: 64 }),
  'MetadataWords',
);

export const ServerMetadata = record(
  'AuthorizationServerMetadata',
  {
    issuer: url,
    token_endpoint: url,
    jwks_uri: url,
    scopes_supported: metadataWords,
    response_types_supported: metadataWords,
    grant_types_supported: metadataWords,
    token_endpoint_auth_methods_supported: metadataWords,
    token_endpoint_auth_signing_alg_values_supported: metadataWords,
    service_documentation: url,
    dpop_signing_alg_values_supported: metadataWords,
    tls_client_certificate_bound_access_tokens: t.boolean,
  },
  {
    authorization_endpoint: url,
    userinfo_endpoint: url,
    revocation_endpoint: url,
    introspection_endpoint: url,
    pushed_authorization_request_endpoint: url,
    device_authorization_endpoint: url,
    end_session_endpoint: url,
    registration_endpoint: url,
    revocation_endpoint_auth_methods_supported: metadataWords,
    revocation_endpoint_auth_signing_alg_values_supported: metadataWords,
    introspection_endpoint_auth_methods_supported: metadataWords,
    introspection_endpoint_auth_signing_alg_values_supported: metadataWords,
    response_modes_supported: metadataWords,
    code_challenge_methods_supported: metadataWords,
    prompt_values_supported: metadataWords,
    authorization_response_iss_parameter_supported: t.boolean,
    require_pushed_authorization_requests: t.boolean,
    request_parameter_supported: t.boolean,
    request_uri_parameter_supported: t.boolean,
    claims_parameter_supported: t.boolean,
    backchannel_logout_supported: t.boolean,
    backchannel_logout_session_supported: t.boolean,
    subject_types_supported: t.array(oneOf('SubjectType', ['public']), 'SubjectTypes'),
    id_token_signing_alg_values_supported: metadataWords,
    acr_values_supported: metadataWords,
    claims_supported: metadataWords,
    claim_types_supported: metadataWords,
    client_id_metadata_document_supported: t.boolean,
  },
);

/** Lists begin with what most clients should take, because some libraries take the first. */
const authenticationMethods = Object.keys(ClientAuthentication.keys);

/** Introspection requires client credentials, so `none` is excluded. */
const authenticationMethodsAt = (endpoint: (typeof authenticatingEndpoints)[number]): readonly string[] =>
  authenticationMethods.filter((method) => method !== 'none' || endpoint !== 'introspection_endpoint');

/** Revocation and introspection always authenticate the client. */
const authenticationOf = (paths: ReadonlySet<string>): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(
    authenticatingEndpoints
      .filter((endpoint) => paths.has(endpoints[endpoint]))
      .flatMap((endpoint) => [
        [`${endpoint}_auth_methods_supported`, authenticationMethodsAt(endpoint)],
        [`${endpoint}_auth_signing_alg_values_supported`, assertionAlgorithms],
      ]),
  );

const signInClaims = [
  'sub',
  'iss',
  'aud',
  'exp',
  'iat',
  'auth_time',
  'nonce',
  'acr',
  'amr',
  'at_hash',
  'sid',
  'tenant_id',
];
const personClaims = ['name', 'preferred_username', 'email', 'email_verified'];

const prompts = [...Object.keys(Prompt.keys).filter((prompt) => prompt !== 'none'), 'none'];

const authorizationMetadata = (algorithms: readonly string[]) => ({
  response_modes_supported: ['query', 'form_post'],
  code_challenge_methods_supported: ['S256'],
  prompt_values_supported: prompts,
  authorization_response_iss_parameter_supported: true,
  require_pushed_authorization_requests: false,
  // Only pushed request URIs are accepted.
  request_parameter_supported: false,
  request_uri_parameter_supported: false,
  claims_parameter_supported: true,
  backchannel_logout_supported: true,
  backchannel_logout_session_supported: true,
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: algorithms,
  acr_values_supported: ['1', '2'],
  claims_supported: [...signInClaims, ...personClaims],
  claim_types_supported: ['normal'],
});

export const serverMetadata = ({ issuer, paths, algorithms, takesMetadataDocuments }: ServedEndpoints) => {
  const served = Object.entries(endpoints).filter(([, path]) => paths.has(path));
  const authorizes = paths.has(endpoints.authorization_endpoint);
  return {
    issuer,
    ...Object.fromEntries(served.map(([name, path]) => [name, `${issuer}${path}`])),
    scopes_supported: [...personScopes, ...adminScopes],
    response_types_supported: authorizes ? ['code'] : [],
    grant_types_supported: [...grantTypeNames, tokenExchangeGrant],
    ...authenticationOf(paths),
    dpop_signing_alg_values_supported: proofAlgorithms,
    tls_client_certificate_bound_access_tokens: true,
    service_documentation: `${issuer}/docs`,
    ...(authorizes ? authorizationMetadata(algorithms) : {}),
    client_id_metadata_document_supported: authorizes && takesMetadataDocuments,
  };
};
