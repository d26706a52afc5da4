/** Authorizes client registration: by an access token, or for everyone in open mode. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import { TenantId } from '../../../../domain/kernel/ids';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import {
  type ClientCertificate,
  checkSenderConstraint,
  type PresentedToken,
} from '../../../../packages/resource-server/src/verification/index';
import type { ClientSource } from '../../clients/load-client';
import { isActive } from '../issued-tokens/token-status';
import { toJsonAnswer } from '../issued-tokens/userinfo-endpoint';
import { type OwnTokenDeps, verifyOwnAccessToken } from '../issued-tokens/verify-own-token';
import { noStoreHeaders, oauthError } from '../token/oauth-error';
import type { BindingDeps } from '../token/sender-constraint';

export interface RegistrationMode {
  readonly mode: 'token' | 'open';
  /** Tenant of clients registered without a token. */
  readonly tenantId: TenantId;
}

export interface RegistrantDeps extends OwnTokenDeps, ClientSource, BindingDeps {
  readonly registration: RegistrationMode;
}

export interface Registrant {
  readonly tenantId: TenantId;
  readonly actor: string;
  /** Scopes that the registrant can grant. */
  readonly scopes: readonly string[];
}

export interface InitialAccessRequest {
  readonly authorization: string | undefined;
  readonly proof: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly at: Instant;
}

const scope = 'clients:write';

const registrationRefused = (status: 401 | 403, error: string, description: string): Either<JsonAnswer, never> => {
  const challenge = `Bearer error="${error}"${status === 403 ? `, scope="${scope}"` : ''}`;
  const headers = { ...noStoreHeaders, 'WWW-Authenticate': challenge };
  return left({ status, body: { error, error_description: description }, headers });
};

const invalidToken = registrationRefused(401, 'invalid_token', 'The access token is not valid for this endpoint.');
const temporarilyUnavailable = (detail: string): Either<JsonAnswer, never> =>
  left(oauthError('temporarily_unavailable', detail));

const shape = /^(Bearer|DPoP) +([\x21-\x7e]{1,16384})$/i;

const presentedTokenOf = (
  { issuer }: RegistrantDeps,
  { authorization, proof, certificate, at }: InitialAccessRequest,
): PresentedToken => {
  const [, scheme = '', token = ''] = shape.exec(authorization ?? '') ?? [];
  return {
    scheme: scheme.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer',
    token,
    method: 'POST',
    url: `${issuer}/oauth/register`,
    proof,
    certificate: certificate?.thumbprint,
    now: Date.parse(at),
  };
};

const registrantByToken = async (
  deps: RegistrantDeps,
  asking: InitialAccessRequest,
): Promise<Either<JsonAnswer, Registrant>> => {
  const sent = presentedTokenOf(deps, asking);
  const read = await verifyOwnAccessToken(deps, sent.token, asking.at);
  if (isLeft(read)) return temporarilyUnavailable(read.left.detail);
  const claims = read.right;
  if (claims === undefined || !TenantId.is(claims.tenant_id)) return invalidToken;
  if (!claims.aud.some((audience) => audience === deps.audiences[0])) return invalidToken;
  const alive = await isActive(deps, claims);
  if (isLeft(alive)) return temporarilyUnavailable(alive.left.detail);
  if (!alive.right) return invalidToken;
  const stranger = await checkSenderConstraint(claims, sent, deps.proofs);
  if (stranger !== undefined) return left(toJsonAnswer(stranger));
  if (!claims.scopes.includes(scope))
    return registrationRefused(403, 'insufficient_scope', 'The token does not allow this.');
  return right({ tenantId: claims.tenant_id, actor: claims.sub, scopes: claims.scopes });
};

export const authenticateRegistrant = async (
  deps: RegistrantDeps,
  asking: InitialAccessRequest,
): Promise<Either<JsonAnswer, Registrant>> => {
  const { mode, tenantId } = deps.registration;
  if (mode === 'open' && asking.authorization === undefined)
    return right({ tenantId, actor: 'system:registration', scopes: [] });
  return registrantByToken(deps, asking);
};
