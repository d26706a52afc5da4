/** Where everything is, at the two addresses that clients ask: of OAuth and of OpenID Connect. */
import { createHash } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { problemOf } from '../../../infra/http/problem';
import { type Answer, type BoundRoute, bind, route } from '../../../infra/http/route';
import type { Signer } from '../../../infra/ports/kms';
import { metadataOf, ServerMetadata } from './metadata';

export interface DiscoveryDeps {
  readonly issuer: string;
  readonly kms: Pick<Signer, 'publicKeys'>;
}

interface Described extends DiscoveryDeps {
  readonly paths: ReadonlySet<string>;
}

/** As long as the keys are kept: what changes with a release is known soon. */
const cacheSeconds = 300;

const describe = async ({ issuer, kms, paths }: Described): Promise<Answer> => {
  const keys = await kms.publicKeys();
  if (isLeft(keys)) return problemOf(keys.left, {});
  const algorithms = [...new Set(keys.right.map(({ alg }) => alg))].sort();
  const body = metadataOf({ issuer, paths, algorithms });
  const tag = createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22);
  return { status: 200, body, headers: { 'Cache-Control': `public, max-age=${cacheSeconds}`, ETag: `"${tag}"` } };
};

const common = {
  method: 'get',
  access: 'public',
  answers: { 200: { description: 'Endpoints and abilities.', body: ServerMetadata } },
  handle: describe,
} as const;

const oauthRoute = route<Described>()({
  ...common,
  path: '/.well-known/oauth-authorization-server',
  operation: 'getAuthorizationServerMetadata',
  limitGroup: 'keys',
  summary: 'The authorization server, described (RFC 8414)',
});

const openidRoute = route<Described>()({
  ...common,
  path: '/.well-known/openid-configuration',
  operation: 'getOpenidConfiguration',
  limitGroup: 'keys',
  summary: 'The same for OpenID Connect',
});

/** Of the routes that are served beside it. */
export const discoveryRoutes = (deps: DiscoveryDeps, served: readonly BoundRoute[]): readonly BoundRoute[] => {
  const described = { ...deps, paths: new Set(served.map(({ path }) => path)) };
  return [bind(described, oauthRoute), bind(described, openidRoute)];
};
