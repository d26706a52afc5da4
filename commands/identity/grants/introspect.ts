/** `POST /oauth/introspect` (RFC 7662): what a token is worth now, by the log, for those that it was issued to or is meant for. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { refreshFamily } from '../../../domain/identity/refresh-family/decider';
import type { Family } from '../../../domain/identity/refresh-family/state';
import { refreshFamilyStream } from '../../../domain/identity/streams';
import { described } from '../../../domain/kernel/codec';
import { plusSeconds, wholeSeconds } from '../../../domain/kernel/instant';
import { type JsonAnswer, route } from '../../../infra/http/route';
import type { AccessTokenClaims } from '../../../packages/resource-server/src/verification/index';
import { loadStream } from '../../kernel/load-stream';
import type { AuthenticatedClient } from '../token/client';
import { oauthError, refuse, uncached } from '../token/oauth-error';
import { OAuthRefusal } from '../token/token';
import { type ReadDeps, readAccessToken } from './access-token-shown';
import { isAlive } from './alive';
import { type EndpointDeps, type Shown, ShownTokenForm, shownAt } from './endpoint';
import { type RefreshToken, readRefreshToken, refreshHash } from './refresh-token';
import { standingOf } from './standing';

export interface IntrospectDeps extends EndpointDeps, ReadDeps {}

type Found = Either<JsonAnswer, object | undefined>;

const path = '/oauth/introspect';
const scope = 'tokens:introspect';

const notNow = ({ detail }: { readonly detail: string }): Either<JsonAnswer, never> =>
  left(oauthError('temporarily_unavailable', detail));

/** What the caller takes tokens for: an application says so itself; a principal's credential is trusted with any of its tenant. */
const takes = (client: AuthenticatedClient, audience: readonly string[]): boolean => {
  if (client.kind === 'principal') return client.credential.scopes.some((one) => one === scope);
  const { scopes, audiences } = client.application;
  return scopes.some((one) => one === scope) && audiences.some((one) => audience.includes(one));
};

const mayKnow = (client: AuthenticatedClient, claims: AccessTokenClaims): boolean => {
  if (claims.tenant_id !== client.tenantId) return false;
  return claims.client_id === client.clientId || claims.aud.includes(client.clientId) || takes(client, claims.aud);
};

const ofAccessToken = async (deps: IntrospectDeps, { token, client, at }: Shown): Promise<Found> => {
  const read = await readAccessToken(deps, token, at);
  if (isLeft(read)) return notNow(read.left);
  const claims = read.right;
  if (claims === undefined || !mayKnow(client, claims)) return right(undefined);
  const alive = await isAlive(deps, claims);
  if (isLeft(alive)) return notNow(alive.left);
  return right(alive.right ? { ...claims, token_type: claims.cnf?.jkt === undefined ? 'Bearer' : 'DPoP' } : undefined);
};

const isCurrent = ({ current, status }: Family, { number, written }: RefreshToken): boolean =>
  status === 'ACTIVE' && current.number === number && current.hash === refreshHash(written);

/** Of a refresh token only its own application learns anything. To look at one is not to use it. */
const ofRefreshToken = async (deps: IntrospectDeps, token: RefreshToken, { client, at }: Shown): Promise<Found> => {
  const { tenantId, familyId } = token;
  if (tenantId !== client.tenantId) return right(undefined);
  const loaded = await loadStream(deps, refreshFamily, refreshFamilyStream(tenantId, familyId));
  if (isLeft(loaded)) return notNow(loaded.left);
  const family = loaded.right;
  if (family.kind === 'none' || family.clientId !== client.clientId || !isCurrent(family, token))
    return right(undefined);
  const idle = plusSeconds(family.usedAt, family.idleSeconds);
  const ends = idle < family.expiresAt ? idle : family.expiresAt;
  if (ends <= at) return right(undefined);
  const standing = await standingOf(deps, tenantId, family);
  if (isLeft(standing)) return standing.left.status === 503 ? standing : right(undefined);
  const { grant } = standing.right;
  const whose = { sub: grant.principalId, client_id: family.clientId, tenant_id: tenantId, iss: deps.issuer };
  return right({
    ...whose,
    aud: grant.audience,
    scope: grant.scopes.join(' '),
    exp: wholeSeconds(ends),
    gid: grant.grantId,
  });
};

const answer = (found: object | undefined): JsonAnswer => ({
  status: 200,
  // Whatever it lacks is not said: an unknown token looks as one that is somebody else's.
  body: found === undefined ? { active: false } : { ...found, active: true },
  headers: uncached,
});

const Introspection = described(t.UnknownRecord, {
  type: 'object',
  required: ['active'],
  properties: { active: { type: 'boolean' } },
  additionalProperties: true,
});

/** Guessing costs a secret: nobody asks who is not somebody. */
const known = (shown: Shown): Either<JsonAnswer, Shown> =>
  shown.client.kind === 'application' && shown.client.application.authentication === 'none'
    ? refuse('unauthorized_client', 'Only clients that authenticate may ask about tokens.')
    : right(shown);

export const introspectRoute = route<IntrospectDeps>()({
  method: 'post',
  sensitive: false,
  path,
  operation: 'introspectToken',
  limitGroup: 'introspection',
  summary: 'Ask what a token is worth now (RFC 7662)',
  description:
    'Answers its client, and whoever it is meant for: named in `aud`, or with the scope `tokens:introspect` and one of its ' +
    'audiences. Everybody else, and about what is over, `active` is false. Read from the log: revocations count at once.',
  access: 'public',
  body: ShownTokenForm,
  bodyType: 'form',
  answers: {
    200: { description: '`active`, and where it is, every claim.', body: Introspection, headers: ['Cache-Control'] },
    400: { description: 'The request is not valid.', body: OAuthRefusal },
    401: { description: 'The client is not authenticated.', body: OAuthRefusal },
    503: { description: 'It cannot be known right now.', body: OAuthRefusal },
  },
  handle: async (deps, request): Promise<JsonAnswer> => {
    const shown = await shownAt(deps, path, request);
    if (isLeft(shown)) return shown.left;
    const asked = known(shown.right);
    if (isLeft(asked)) return asked.left;
    const token = readRefreshToken(shown.right.token);
    const found = await (token === undefined
      ? ofAccessToken(deps, shown.right)
      : ofRefreshToken(deps, token, shown.right));
    return isLeft(found) ? found.left : answer(found.right);
  },
});
