/** What others need to check our tokens: the public keys, and where everything is. */
import { createHash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { adminScopes } from '../../domain/identity/scopes';
import { record, text } from '../../domain/kernel/codec';
import { problemOf } from '../../infra/http/problem';
import { type JsonAnswer, route } from '../../infra/http/route';
import type { Kms } from '../../infra/ports/kms';

const coordinate = text('Coordinate', { maxLength: 43 });
const Jwk = record('Jwk', {
  kty: t.literal('EC'),
  crv: t.literal('P-256'),
  x: coordinate,
  y: coordinate,
  kid: text('KeyId', { maxLength: 64 }),
  alg: t.literal('ES256'),
  use: t.literal('sig'),
});

/** Short enough that a rotated key is known soon; verifiers also ask again when they meet an unknown one. */
const cacheSeconds = 300;

const cached = (body: unknown): JsonAnswer => {
  const tag = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  return { status: 200, body, headers: { 'Cache-Control': `public, max-age=${cacheSeconds}`, ETag: `"${tag}"` } };
};

export const jwksRoute = route<{ readonly kms: Kms }>()({
  method: 'get',
  path: '/oauth/jwks',
  operation: 'getSigningKeys',
  summary: 'The public signing keys (RFC 7517)',
  access: 'public',
  answers: {
    200: {
      description: 'Every key whose signatures are to be accepted.',
      body: record('Jwks', { keys: t.array(Jwk) }),
    },
  },
  handle: async ({ kms }) => {
    const keys = await kms.publicKeys();
    return isLeft(keys) ? problemOf(keys.left, {}) : cached({ keys: keys.right });
  },
});

const url = text('Url', { maxLength: 2048 });
const words = t.array(text('Word', { maxLength: 64 }), 'Words');
const ServerMetadata = record('AuthorizationServerMetadata', {
  issuer: url,
  token_endpoint: url,
  jwks_uri: url,
  scopes_supported: words,
  response_types_supported: words,
  grant_types_supported: words,
  token_endpoint_auth_methods_supported: words,
  service_documentation: url,
});

export const metadataRoute = route<{ readonly issuer: string }>()({
  method: 'get',
  path: '/.well-known/oauth-authorization-server',
  operation: 'getAuthorizationServerMetadata',
  summary: 'The authorization server, described (RFC 8414)',
  access: 'public',
  answers: { 200: { description: 'Endpoints and abilities.', body: ServerMetadata } },
  handle: async ({ issuer }) =>
    cached({
      issuer,
      token_endpoint: `${issuer}/oauth/token`,
      jwks_uri: `${issuer}/oauth/jwks`,
      scopes_supported: adminScopes,
      response_types_supported: [],
      grant_types_supported: ['client_credentials'],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      service_documentation: `${issuer}/docs`,
    }),
});
