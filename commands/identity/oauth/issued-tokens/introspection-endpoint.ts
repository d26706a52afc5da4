/** POST /oauth/introspect (RFC 7662): status of a token by the log, for its client and its audience. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decodeJwt } from 'jose';
import { refreshFamily } from '../../../../domain/identity/refresh-family/decider';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import type { Family } from '../../../../domain/identity/refresh-family/state';
import { described, fieldsOf, record, text } from '../../../../domain/kernel/codec';
import { plusSeconds, wholeSeconds } from '../../../../domain/kernel/instant';
import { type JsonAnswer, route } from '../../../../infra/server/http/routing/route';
import type { AccessTokenClaims } from '../../../../packages/resource-server/src/verification/index';
import { loadStream } from '../../../kernel/load-stream';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import { recheckGrant } from '../refresh-token/check-grant';
import { parseRefreshToken, type RefreshToken, refreshTokenHash } from '../refresh-token/refresh-token';
import { noStoreHeaders, oauthError, oauthFailure } from '../token/oauth-error';
import { OAuthErrorAnswer } from '../token/token-endpoint';
import {
  type EndpointDeps,
  readTokenParameter,
  TokenParameterForm,
  type TokenParameterRequest,
} from './token-parameter';
import { isActive } from './token-status';
import { type OwnTokenDeps, verifyOwnAccessToken } from './verify-own-token';

export interface IntrospectDeps extends EndpointDeps, OwnTokenDeps {}

type IntrospectionResult = Either<JsonAnswer, object | undefined>;

const introspectionPath = '/oauth/introspect';
const introspectionScope = 'tokens:introspect';

const temporarilyUnavailable = ({ detail }: { readonly detail: string }): Either<JsonAnswer, never> =>
  left(oauthError('temporarily_unavailable', detail));

const hasIntrospectionScope = (client: AuthenticatedClient): boolean =>
  (client.kind === 'principal' ? client.credential : client.application).scopes.some(
    (one) => one === introspectionScope,
  );

/** Whether the token is meant for the caller: an application lists its audiences; a principal's credential covers its tenant. */
const isIntendedFor = (client: AuthenticatedClient, audience: readonly string[]): boolean =>
  hasIntrospectionScope(client) &&
  (client.kind === 'principal' || client.application.audiences.some((one) => audience.includes(one)));

interface TokenParties {
  readonly client_id?: unknown;
  readonly aud?: unknown;
}

/** Issued to the caller, or for it alone. */
const isOwnToken = (client: AuthenticatedClient, { client_id: issuedTo, aud }: TokenParties): boolean =>
  issuedTo === client.clientId || [aud].flat().includes(client.clientId);

const mayIntrospect = (client: AuthenticatedClient, claims: AccessTokenClaims): boolean => {
  if (claims.tenant_id !== client.tenantId) return false;
  return isOwnToken(client, claims) || isIntendedFor(client, claims.aud);
};

/** Unverified: only decides which refusal the caller gets. */
const claimsToBeOwn = (client: AuthenticatedClient, token: string): boolean => {
  try {
    return isOwnToken(client, decodeJwt(token));
  } catch {
    return false;
  }
};

/**
 * Without the scope a client can introspect its own tokens only, so it is refused whatever it sends: `active: false` would look like a dead token
 * (RFC 7662 section 2.3, RFC 6750 section 3.1).
 */
const scopeMissing = (): JsonAnswer => ({
  status: 403,
  body: {
    error: 'insufficient_scope',
    error_description: `The client needs the scope ${introspectionScope} to introspect tokens of others.`,
    scope: introspectionScope,
  },
  headers: {
    ...noStoreHeaders,
    'WWW-Authenticate': `Bearer error="insufficient_scope", scope="${introspectionScope}"`,
  },
});

const introspectAccessToken = async (
  deps: IntrospectDeps,
  { token, client, at }: TokenParameterRequest,
): Promise<IntrospectionResult> => {
  const read = await verifyOwnAccessToken(deps, token, at);
  if (isLeft(read)) return temporarilyUnavailable(read.left);
  const claims = read.right;
  if (claims === undefined || !mayIntrospect(client, claims))
    return hasIntrospectionScope(client) || claimsToBeOwn(client, token) ? right(undefined) : left(scopeMissing());
  const alive = await isActive(deps, claims);
  if (isLeft(alive)) return temporarilyUnavailable(alive.left);
  return right(alive.right ? { ...claims, token_type: claims.cnf?.jkt === undefined ? 'Bearer' : 'DPoP' } : undefined);
};

const isCurrent = ({ current, status }: Family, { number, written }: RefreshToken): boolean =>
  status === 'ACTIVE' && current.number === number && current.hash === refreshTokenHash(written);

/** Only the refresh token's own client learns about it. Introspection does not use it. */
const introspectRefreshToken = async (
  deps: IntrospectDeps,
  token: RefreshToken,
  { client, at }: TokenParameterRequest,
): Promise<IntrospectionResult> => {
  const { tenantId, familyId } = token;
  if (client.kind !== 'application' || tenantId !== client.tenantId) return right(undefined);
  const loaded = await loadStream(deps, refreshFamily, refreshFamilyStream(tenantId, familyId));
  if (isLeft(loaded)) return temporarilyUnavailable(loaded.left);
  const family = loaded.right;
  if (family.kind === 'none' || family.clientId !== client.clientId || !isCurrent(family, token))
    return right(undefined);
  const idle = plusSeconds(family.usedAt, family.idleSeconds);
  const ends = idle < family.expiresAt ? idle : family.expiresAt;
  if (ends <= at) return right(undefined);
  const standing = await recheckGrant(deps, client, family);
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

const introspectionAnswer = (found: object | undefined): JsonAnswer => ({
  status: 200,
  // Without a reason: an unknown token looks like another client's.
  body: found === undefined ? { active: false } : { ...found, active: true },
  headers: noStoreHeaders,
});

const IntrospectionAnswer = described(t.UnknownRecord, {
  type: 'object',
  required: ['active'],
  properties: { active: { type: 'boolean' } },
  additionalProperties: true,
});

const ScopeMissingAnswer = record('ScopeMissing', {
  ...fieldsOf(OAuthErrorAnswer),
  scope: text('MissingScope', { examples: [introspectionScope], maxLength: 64 }),
});

/** Public clients may not introspect, so guessing needs a secret. */
const requireKnownClient = (parameter: TokenParameterRequest): Either<JsonAnswer, TokenParameterRequest> =>
  parameter.client.kind === 'application' && parameter.client.application.authentication === 'none'
    ? oauthFailure('unauthorized_client', 'Only clients that authenticate may ask about tokens.')
    : right(parameter);

export const introspectRoute = route<IntrospectDeps>()({
  method: 'post',
  sensitive: false,
  path: introspectionPath,
  operation: 'introspectToken',
  example: { token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI3ZDlmMWM5ZSJ9.c2lnbmF0dXJl' },
  limitGroup: 'introspection',
  summary: 'Introspect a token (RFC 7662)',
  description:
    'Answers the client of the token and its audience: a service named in `aud`, or one with the scope `tokens:introspect` and one ' +
    'of its audiences. Without the scope, tokens of others are refused with 403. For tokens of other audiences, and for expired ones, `active` is ' +
    'false. Read from the log: revocations count at once.',
  access: 'public',
  body: TokenParameterForm,
  bodyType: 'form',
  answers: {
    200: {
      description: '`active`, and if true, all claims.',
      body: IntrospectionAnswer,
      headers: ['Cache-Control'],
    },
    400: { description: 'The request is not valid.', body: OAuthErrorAnswer },
    401: { description: 'The client is not authenticated.', body: OAuthErrorAnswer },
    403: {
      description: 'The client lacks the scope that `scope` names, and the token is not its own.',
      body: ScopeMissingAnswer,
      headers: ['WWW-Authenticate'],
    },
    503: { description: 'The state of the token is unavailable right now.', body: OAuthErrorAnswer },
  },
  handle: async (deps, request): Promise<JsonAnswer> => {
    const parameter = await readTokenParameter(deps, introspectionPath, request);
    if (isLeft(parameter)) return parameter.left;
    const permitted = requireKnownClient(parameter.right);
    if (isLeft(permitted)) return permitted.left;
    const token = parseRefreshToken(parameter.right.token);
    const found = await (token === undefined
      ? introspectAccessToken(deps, parameter.right)
      : introspectRefreshToken(deps, token, parameter.right));
    return isLeft(found) ? found.left : introspectionAnswer(found.right);
  },
});
