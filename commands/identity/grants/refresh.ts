/** `refresh_token` (RFC 6749 section 6, RFC 9700 section 4.14): one use of a token gives an access token and the next refresh token. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { refreshFamily } from '../../../domain/identity/refresh-family/decider';
import type { Family } from '../../../domain/identity/refresh-family/state';
import type { JsonAnswer } from '../../../infra/http/route';
import { loadPrincipal } from '../principals/load-principal';
import { tokenAnswer } from '../token/answer';
import type { TokenCall } from '../token/call';
import type { ApplicationClient } from '../token/client';
import { scopesAsked } from '../token/form';
import { type IssueDeps, issueTokens } from '../token/issue';
import { refuse } from '../token/oauth-error';
import type { TokenOrder } from '../token/order';
import { reportStranger } from './contain';
import { type RefreshToken, readRefreshToken } from './refresh-token';
import { scopesLeft, sessionOf, standingOf, targetsLeft } from './standing';
import { containOver, familyOf, notAccepted, spend, type Use, type UseDeps, useOf } from './use-token';

export interface RefreshDeps extends Omit<IssueDeps, 'kms'>, UseDeps {
  readonly kms: IssueDeps['kms'] & UseDeps['kms'];
}

interface Presented {
  readonly token: RefreshToken;
  readonly client: ApplicationClient;
}

/** Another tenant's streams are not even looked at. */
const presentedOf = ({ parameters, client }: TokenCall): Either<JsonAnswer, Presented> => {
  const { refresh_token: written } = parameters;
  if (written === undefined) return refuse('invalid_request', 'The refresh_token is missing.');
  const token = readRefreshToken(written);
  if (client.kind !== 'application') return refuse('unauthorized_client', 'Refresh tokens are for applications.');
  return token?.tenantId === client.tenantId ? right({ token, client }) : notAccepted();
};

const orderOf = async (
  deps: RefreshDeps,
  call: TokenCall,
  [
    {
      client: { tenantId, clientId, application },
    },
    family,
  ]: [Presented, Family],
): Promise<Either<JsonAnswer, TokenOrder>> => {
  const asked = scopesAsked(call.parameters.scope);
  if (isLeft(asked)) return asked;
  const standing = await standingOf(deps, tenantId, family);
  if (isLeft(standing)) return standing;
  const { grant, principal } = standing.right;
  const scopes = scopesLeft(standing.right, application, asked.right);
  if (isLeft(scopes)) return scopes;
  const audience = targetsLeft(grant, application, call);
  if (isLeft(audience)) return audience;
  const { principalId, principalType, grantId, authenticatedAt, methods } = grant;
  const sessionId = sessionOf(grant);
  const { binding, requestId, sourceIp } = call;
  return right({
    ...{ tenantId, clientId, principalId, principalType, grantId, sessionId, binding, requestId, sourceIp },
    ...{ securityEpoch: principal.securityEpoch, scopes: scopes.right, audience: audience.right },
    ...{ authentication: { at: authenticatedAt, methods }, notAfter: family.expiresAt },
    // Not of an authorization request (OpenID Connect Core section 12.2).
    ...{ nonce: null, credentialId: null },
  });
};

/** A token that was used before is told from one that is over, or of another, by whether the family ends by it. */
const refused = async (deps: RefreshDeps, use: Use, family: Family): Promise<Either<JsonAnswer, void>> => {
  const decided = refreshFamily.decide(use.command, family);
  if (isLeft(decided)) {
    if (decided.left.code === 'family-over') await containOver(deps, use);
    if (decided.left.code === 'refresh-token-held-by-another') {
      const { clientId, at } = use.command;
      await reportStranger(deps, { ...family, tenantId: use.token.tenantId, clientId, at, requestId: use.requestId });
    }
    return notAccepted();
  }
  if (!decided.right.some(({ type }) => type === 'FamilyCompromised')) return right(undefined);
  const { tenantId } = use.token;
  const principal = await loadPrincipal(deps, { tenantId, principalId: family.principalId });
  if (isLeft(principal)) return refuse('temporarily_unavailable', principal.left.detail);
  const securityEpoch = principal.right.kind === 'none' ? 1 : principal.right.securityEpoch;
  return spend(deps, { ...use, command: { ...use.command, securityEpoch } });
};

/**
 * The access token is on record before the refresh token is spent, and handed out only once it is: were it the other way round,
 * a client without a key that loses the second step would be taken for a thief at its next try.
 */
const refresh = async (deps: RefreshDeps, call: TokenCall, presented: Presented): Promise<JsonAnswer> => {
  const use = await useOf(deps, presented.token, call);
  if (isLeft(use)) return use.left;
  const family = await familyOf(deps, use.right);
  if (isLeft(family)) return family.left;
  const no = await refused(deps, use.right, family.right);
  if (isLeft(no)) return no.left;
  const order = await orderOf(deps, call, [presented, family.right]);
  if (isLeft(order)) return order.left;
  const issued = await issueTokens(deps, order.right);
  if (isLeft(issued)) return issued.left;
  const { securityEpoch } = order.right;
  const spent = await spend(deps, { ...use.right, command: { ...use.right.command, securityEpoch } });
  if (isLeft(spent)) return spent.left;
  return tokenAnswer(issued.right, { binding: call.binding, refreshToken: use.right.successor });
};

/** Uses of one family come one after another in each process: the second sees what the first has done, and issues nothing in vain. */
export const refreshTokens = async (deps: RefreshDeps, call: TokenCall): Promise<JsonAnswer> => {
  const presented = presentedOf(call);
  if (isLeft(presented)) return presented.left;
  const go = () => refresh(deps, call, presented.right);
  const { tenantId, familyId } = presented.right.token;
  return deps.warm === undefined ? go() : deps.warm.inTurn(`refresh ${tenantId}.${familyId}`, go);
};
