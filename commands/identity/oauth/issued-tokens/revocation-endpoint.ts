/** POST /oauth/revoke (RFC 7009): a refresh token revokes its whole grant, an access token itself. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { denial } from '../../../../domain/identity/denylist/decider';
import { denialStream } from '../../../../domain/identity/denylist/events';
import { refreshFamily } from '../../../../domain/identity/refresh-family/decider';
import { refreshFamilyStream } from '../../../../domain/identity/refresh-family/events';
import { containsToken } from '../../../../domain/identity/refresh-family/state';
import type { Instant } from '../../../../domain/kernel/codec';
import { PrincipalId } from '../../../../domain/kernel/ids';
import { type JsonAnswer, route } from '../../../../infra/server/http/routing/route';
import { derivedId } from '../../../kernel/deterministic-ids';
import { handle } from '../../../kernel/handle';
import type { HandleDeps } from '../../../kernel/handle-request';
import { loadStream } from '../../../kernel/load-stream';
import { allowClientOrigin } from '../../clients/cross-origin';
import { revokeGrant } from '../../grants/revoke-grant';
import { claimedClientId } from '../client-authentication/presented-credentials';
import { parseRefreshToken, type RefreshToken, refreshTokenHash } from '../refresh-token/refresh-token';
import { noStoreHeaders, oauthError, oauthFailure } from '../token/oauth-error';
import { OAuthErrorAnswer } from '../token/token-endpoint';
import {
  type EndpointDeps,
  readTokenParameter,
  TokenParameterForm,
  type TokenParameterHttpRequest,
  type TokenParameterRequest,
} from './token-parameter';
import { type OwnTokenDeps, verifyOwnAccessToken } from './verify-own-token';

export interface RevokeTokenDeps extends EndpointDeps, Omit<HandleDeps, 'clock' | 'store' | 'warm'>, OwnTokenDeps {}

type RevocationResult = Promise<Either<JsonAnswer, void>>;

const revocationPath = '/oauth/revoke';
const revocationReason = 'Revoked by its client.';

const tokenOfAnotherClient = () => oauthFailure('invalid_request', 'The token belongs to another client.');
const toRevocationResult = (outcome: Either<{ readonly detail: string }, unknown>): Either<JsonAnswer, void> =>
  isLeft(outcome) ? left(oauthError('temporarily_unavailable', outcome.left.detail)) : right(undefined);

/** A rotated refresh token revokes the family, too: the client wants all of them gone. */
const revokeRefreshToken = async (
  deps: RevokeTokenDeps,
  token: RefreshToken,
  { client, requestId }: TokenParameterRequest,
): RevocationResult => {
  const { tenantId, familyId, number, written } = token;
  if (tenantId !== client.tenantId) return right(undefined);
  const loaded = await loadStream(deps, refreshFamily, refreshFamilyStream(tenantId, familyId));
  if (isLeft(loaded)) return toRevocationResult(loaded);
  const family = loaded.right;
  if (family.kind === 'none' || !containsToken(family, number, refreshTokenHash(written))) return right(undefined);
  if (family.clientId !== client.clientId) return tokenOfAnotherClient();
  const commandId = derivedId('give-back', tenantId, familyId);
  const how = { tenantId, reason: revocationReason, ownedBy: null, actor: client.clientId, requestId, commandId };
  return toRevocationResult(await revokeGrant(deps, family.grantId, how));
};

const denyAccessToken = async (
  deps: RevokeTokenDeps,
  { token, client, at, requestId }: TokenParameterRequest,
): RevocationResult => {
  const read = await verifyOwnAccessToken(deps, token, at);
  if (isLeft(read)) return toRevocationResult(read);
  const claims = read.right;
  // Unknown and expired tokens count as revoked (RFC 7009 section 2.2).
  if (claims === undefined || claims.tenant_id !== client.tenantId) return right(undefined);
  if (claims.client_id !== client.clientId) return tokenOfAnotherClient();
  const { jti, sub, exp } = claims;
  const expiresAt = new Date(exp * 1000).toISOString() as Instant;
  const principalId = PrincipalId.is(sub) ? sub : null;
  const outcome = await handle(deps, denial, {
    stream: denialStream(client.tenantId, { jti, expiresAt }),
    command: { type: 'DenyToken', jti, expiresAt, principalId, reason: revocationReason, at },
    commandId: derivedId('give-back', client.tenantId, jti),
    fingerprint: jti,
    tenant: client.tenantId,
    actor: client.clientId,
    correlationId: requestId,
  });
  return toRevocationResult(outcome);
};

const handleRevocation = async (deps: RevokeTokenDeps, request: TokenParameterHttpRequest): Promise<JsonAnswer> => {
  const parameter = await readTokenParameter(deps, revocationPath, request);
  if (isLeft(parameter)) return parameter.left;
  const token = parseRefreshToken(parameter.right.token);
  const ended = await (token === undefined
    ? denyAccessToken(deps, parameter.right)
    : revokeRefreshToken(deps, token, parameter.right));
  return isLeft(ended) ? ended.left : { status: 200, headers: noStoreHeaders };
};

export const revokeTokenRoute = route<RevokeTokenDeps>()({
  method: 'post',
  sensitive: false,
  path: revocationPath,
  operation: 'giveTokenBack',
  example: { token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiI3ZDlmMWM5ZSJ9.c2lnbmF0dXJl' },
  limitGroup: 'introspection',
  summary: 'Revoke a token (RFC 7009)',
  description:
    'Revoking a refresh token ends its grant and all of its tokens; revoking an access token ends that token. Unknown tokens get the same answer.',
  access: 'public',
  body: TokenParameterForm,
  bodyType: 'form',
  answers: {
    200: { description: 'The token is no longer accepted.' },
    400: { description: 'The request is not valid, or the token is of another client.', body: OAuthErrorAnswer },
    401: { description: 'The client is not authenticated.', body: OAuthErrorAnswer },
    503: { description: 'The log is unavailable right now: try again.', body: OAuthErrorAnswer },
  },
  handle: async (deps, request): Promise<JsonAnswer> => {
    const answer = await handleRevocation(deps, request);
    const { origin, authorization } = request.headers;
    return allowClientOrigin(deps, answer, { origin, clientId: claimedClientId(request.body, authorization) });
  },
});
