/** Discovery: server metadata (RFC 8414), OpenID configuration, and JWKS. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { KeyId } from '../../../domain/identity/ids';
import { registrationPolicy } from '../../../domain/identity/registration-policy/decider';
import { registrationPolicyStream } from '../../../domain/identity/registration-policy/events';
import { cacheSeconds } from '../../../domain/identity/signing-keys/lifetimes';
import { record, text } from '../../../domain/kernel/codec';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { PublicJwk, Signer } from '../../../infra/ports/kms';
import { problemOf } from '../../../infra/server/http/problem';
import { type Answer, type BoundRoute, bind, type JsonAnswer, route } from '../../../infra/server/http/routing/route';
import { loadStream } from '../../kernel/load-stream';
import type { ClientSource } from '../clients/load-client';
import { ServerMetadata, serverMetadata } from './server-metadata';

export interface DiscoveryDeps extends ClientSource {
  readonly kms: Pick<Signer, 'publicKeys'>;
}

interface DescribedServer extends DiscoveryDeps {
  readonly paths: ReadonlySet<string>;
}

/** Same as the JWKS, so that changes of a release arrive soon. */
const metadataCacheSeconds = 300;

/** RS256 first: every client has it, and some take the first (OpenID Connect Discovery section 3). */
const idTokenAlgorithms = (keys: readonly PublicJwk[]): readonly string[] => {
  const others = new Set<string>(keys.map(({ alg }) => alg));
  return others.delete('RS256') ? ['RS256', ...[...others].sort()] : [...others].sort();
};

/** Whether a client_id may be a URL, by the policy of the tenant of such clients. */
const takesMetadataDocuments = async (source: ClientSource): Promise<Either<EventStoreFault, boolean>> => {
  const { metadataDocuments: documents } = source;
  if (documents === undefined) return right(false);
  const policy = await loadStream(source, registrationPolicy, registrationPolicyStream(documents.tenantId));
  return isLeft(policy) ? policy : right(policy.right.metadataHosts.length > 0);
};

const serverMetadataAnswer = async ({ kms, paths, ...source }: DescribedServer): Promise<Answer> => {
  const { issuer } = source;
  const keys = await kms.publicKeys();
  if (isLeft(keys)) return problemOf(keys.left, {});
  const algorithms = idTokenAlgorithms(keys.right);
  const documents = await takesMetadataDocuments(source);
  if (isLeft(documents)) return problemOf(documents.left, {});
  const body = serverMetadata({ issuer, paths, algorithms, takesMetadataDocuments: documents.right });
  const tag = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  return {
    status: 200,
    body,
    headers: { 'Cache-Control': `public, max-age=${metadataCacheSeconds}`, ETag: `"${tag}"` },
  };
};

const commonRoute = {
  method: 'get',
  access: 'public',
  answers: { 200: { description: 'Endpoints and abilities.', body: ServerMetadata } },
  handle: serverMetadataAnswer,
} as const;

const oauthRoute = route<DescribedServer>()({
  ...commonRoute,
  path: '/.well-known/oauth-authorization-server',
  operation: 'getAuthorizationServerMetadata',
  limitGroup: 'keys',
  summary: 'Get the authorization server metadata (RFC 8414)',
});

const openidRoute = route<DescribedServer>()({
  ...commonRoute,
  path: '/.well-known/openid-configuration',
  operation: 'getOpenidConfiguration',
  limitGroup: 'keys',
  summary: 'Get the OpenID provider metadata (OpenID Connect Discovery)',
});

/** Describes the routes that are served beside it. */
export const discoveryRoutes = (deps: DiscoveryDeps, served: readonly BoundRoute[]): readonly BoundRoute[] => {
  const described = { ...deps, paths: new Set(served.map(({ path }) => path)) };
  return [bind(described, oauthRoute), bind(described, openidRoute)];
};

const coordinate = text('Coordinate', { examples: ['f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU'], maxLength: 43 });
const commonJwk = { kid: KeyId, use: t.literal('sig') };
const EcJwk = record('EcJwk', {
  kty: t.literal('EC'),
  crv: t.literal('P-256'),
  x: coordinate,
  y: coordinate,
  alg: t.literal('ES256'),
  ...commonJwk,
});
const OkpJwk = record('OkpJwk', {
  kty: t.literal('OKP'),
  crv: t.literal('Ed25519'),
  x: coordinate,
  alg: t.literal('EdDSA'),
  ...commonJwk,
});
const RsaJwk = record('RsaJwk', {
  kty: t.literal('RSA'),
  n: text('Modulus', {
    examples: ['sXchDaQebHnPiGvyDOAT4saGEUetSyo9MKLOoWFsueri23bOdgWp4Dy1WlUzewbgBHod5pcM9H95GQRV3JDXbo'],
    maxLength: 1_366,
  }),
  e: text('Exponent', { examples: ['AQAB'], maxLength: 8 }),
  alg: t.literal('RS256'),
  ...commonJwk,
});
const Jwk = t.union([EcJwk, OkpJwk, RsaJwk], 'Jwk');

const cacheableAnswer = (body: unknown): JsonAnswer => {
  const tag = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  return { status: 200, body, headers: { 'Cache-Control': `public, max-age=${cacheSeconds}`, ETag: `"${tag}"` } };
};

export const jwksRoute = route<{ readonly kms: Pick<Signer, 'publicKeys'> }>()({
  method: 'get',
  path: '/oauth/jwks',
  operation: 'getSigningKeys',
  limitGroup: 'keys',
  summary: 'Get the public signing keys (JWK set, RFC 7517)',
  access: 'public',
  answers: {
    200: {
      description:
        'Every key whose signatures to accept, and the next one before it signs. Fetch the set again when a token names a key that is not in it.',
      body: record('Jwks', { keys: t.array(Jwk) }),
    },
  },
  handle: async ({ kms }) => {
    const keys = await kms.publicKeys();
    return isLeft(keys) ? problemOf(keys.left, {}) : cacheableAnswer({ keys: keys.right });
  },
});
