/** The refresh_token grant (RFC 6749 section 6, RFC 9700 section 4.14): each use returns an access token and the next refresh token. */

import { type Either, isLeft, right } from 'fp-ts/Either';
import { roleContext } from '../../../../domain/identity/policy/request';
import { refreshFamily } from '../../../../domain/identity/refresh-family/decider';
import type { Family } from '../../../../domain/identity/refresh-family/state';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import { loadPrincipal } from '../../principals/load-principal';
import { type ApplicationClient, metadataUrlOf } from '../client-authentication/authenticated-client';
import { idTokenOptionsFor } from '../token/id-token-options';
import type { IssuanceRequest } from '../token/issuance-request';
import { type IssueDeps, type Issuer, issueTokens, tokenResponse } from '../token/issue-tokens';
import { oauthFailure } from '../token/oauth-error';
import { parseScope } from '../token/oauth-form';
import type { TokenRequest } from '../token/token-request';
import { recheckGrant, remainingAudience, remainingScopes, sessionIdOf } from './check-grant';
import { reportForeignRefreshToken } from './contain-compromise';
import { parseRefreshToken, type RefreshToken } from './refresh-token';
import {
  checkFamily,
  containIfCompromised,
  invalidRefreshToken,
  type RefreshTokenUse,
  type RotationDeps,
  refreshTokenUse,
  rotate,
} from './rotate-refresh-token';

export interface RefreshDeps extends Omit<IssueDeps, 'kms'>, RotationDeps, Issuer {
  readonly kms: IssueDeps['kms'] & RotationDeps['kms'];
}

interface PresentedRefreshToken {
  readonly token: RefreshToken;
  readonly client: ApplicationClient;
}

/** Never reads streams of another tenant. */
const readPresentedToken = ({ parameters, client }: TokenRequest): Either<JsonAnswer, PresentedRefreshToken> => {
  const { refresh_token: written } = parameters;
  if (written === undefined) return oauthFailure('invalid_request', 'The refresh_token is missing.');
  const token = parseRefreshToken(written);
  if (client.kind !== 'application')
    return oauthFailure('unauthorized_client', 'Only applications can use refresh tokens.');
  return token?.tenantId === client.tenantId ? right({ token, client }) : invalidRefreshToken();
};

interface RefreshedFamily {
  readonly client: ApplicationClient;
  readonly family: Family;
}

const issuanceRequestFor = async (
  deps: RefreshDeps,
  request: TokenRequest,
  { client, family }: RefreshedFamily,
): Promise<Either<JsonAnswer, IssuanceRequest>> => {
  const { tenantId, clientId, application } = client;
  const requested = parseScope(request.parameters.scope);
  if (isLeft(requested)) return requested;
  const current = await recheckGrant(deps, client, family);
  if (isLeft(current)) return current;
  const { grant, principal } = current.right;
  const scopes = remainingScopes(current.right, application, requested.right);
  if (isLeft(scopes)) return scopes;
  const audience = remainingAudience(grant, application, { resources: request.resources, home: deps });
  if (isLeft(audience)) return audience;
  const { principalId, principalType, grantId, authenticatedAt, methods, idTokenClaims } = grant;
  const subject = { tenantId, principalId, scopes: scopes.right, application };
  const idToken = await idTokenOptionsFor(deps, { ...subject, requested: idTokenClaims });
  if (isLeft(idToken)) return idToken;
  const sessionId = sessionIdOf(grant);
  const { binding, requestId, sourceIp } = request;
  return right({
    tenantId,
    clientId,
    ...metadataUrlOf(client),
    principalId,
    principalType,
    grantId,
    sessionId,
    binding,
    requestId,
    sourceIp,
    securityEpoch: principal.securityEpoch,
    authContext: principal.roles.map(roleContext),
    scopes: scopes.right,
    audience: audience.right,
    authentication: { at: authenticatedAt, methods, sessionId: grant.sessionId },
    notAfter: family.expiresAt,
    // No nonce at refresh (OpenID Connect Core section 12.2).
    nonce: null,
    idToken: idToken.right,
    credentialId: null,
    clientChangedAt: application.voidedAt,
  });
};

/** A reused token differs from an expired or foreign one in that it ends the family. */
const rotateOrRefuse = async (
  deps: RefreshDeps,
  use: RefreshTokenUse,
  family: Family,
): Promise<Either<JsonAnswer, void>> => {
  const decided = refreshFamily.decide(use.command, family);
  if (isLeft(decided)) {
    if (decided.left.code === 'family-over') await containIfCompromised(deps, use);
    if (decided.left.code === 'refresh-token-held-by-another') {
      const { clientId, at } = use.command;
      await reportForeignRefreshToken(deps, {
        ...family,
        tenantId: use.token.tenantId,
        clientId,
        at,
        requestId: use.requestId,
      });
    }
    return invalidRefreshToken();
  }
  if (!decided.right.some(({ type }) => type === 'FamilyCompromised')) return right(undefined);
  const { tenantId } = use.token;
  const principal = await loadPrincipal(deps, { tenantId, principalId: family.principalId });
  if (isLeft(principal)) return oauthFailure('temporarily_unavailable', principal.left.detail);
  const securityEpoch = principal.right.kind === 'none' ? 1 : principal.right.securityEpoch;
  return rotate(deps, { ...use, command: { ...use.command, securityEpoch } });
};

/**
 * Records the access token, then rotates the refresh token, then responds. In the other order, a public client whose issuance failed would
 * present its old token again, and reuse detection would mark the family as compromised.
 */
const issueAndRotate = async (
  deps: RefreshDeps,
  request: TokenRequest,
  presented: PresentedRefreshToken,
): Promise<JsonAnswer> => {
  const use = await refreshTokenUse(deps, presented.token, request);
  if (isLeft(use)) return use.left;
  const family = await checkFamily(deps, use.right);
  if (isLeft(family)) return family.left;
  const no = await rotateOrRefuse(deps, use.right, family.right);
  if (isLeft(no)) return no.left;
  const order = await issuanceRequestFor(deps, request, { client: presented.client, family: family.right });
  if (isLeft(order)) return order.left;
  const issued = await issueTokens(deps, order.right);
  if (isLeft(issued)) return issued.left;
  const { securityEpoch } = order.right;
  const rotated = await rotate(deps, { ...use.right, command: { ...use.right.command, securityEpoch } });
  if (isLeft(rotated)) return rotated.left;
  return tokenResponse(issued.right, { binding: request.binding, refreshToken: use.right.successor });
};

/** Serialises the uses of a family within the process: the second sees the result of the first and issues no token in vain. */
export const refreshTokens = async (deps: RefreshDeps, request: TokenRequest): Promise<JsonAnswer> => {
  const presented = readPresentedToken(request);
  if (isLeft(presented)) return presented.left;
  const go = () => issueAndRotate(deps, request, presented.right);
  const { tenantId, familyId } = presented.right.token;
  return deps.warm === undefined ? go() : deps.warm.runExclusive(`refresh ${tenantId}.${familyId}`, go);
};
