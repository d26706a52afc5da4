/** One revocation command per kind of target, in the caller's tenant. */
import { type Either, isLeft, left } from 'fp-ts/Either';
import { client } from '../../../domain/identity/client/decider';
import { clientStream } from '../../../domain/identity/client/events';
import { type FamilyId, type GrantId, platformTenant, type SessionId } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import { type GrantsOfBefore, principalStream } from '../../../domain/identity/principal/events';
import { refreshFamily } from '../../../domain/identity/refresh-family/decider';
import { refreshFamilyStream } from '../../../domain/identity/refresh-family/events';
import { containsToken } from '../../../domain/identity/refresh-family/state';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import { tenantNotBefore } from '../../../domain/identity/tenant-security/decider';
import { globalSecurityStream, tenantSecurityStream } from '../../../domain/identity/tenant-security/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { DomainEvent } from '../../../domain/kernel/family';
import { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import { type Fault, type Rejection, reject } from '../../../domain/kernel/rejection';
import { handle } from '../../kernel/handle';
import type { HandleDeps, HandledCommand } from '../../kernel/handle-request';
import { loadStream } from '../../kernel/load-stream';
import { parseApplicationClientId, parsePrincipalClientId } from '../clients/client-id';
import { revokeGrant } from '../grants/revoke-grant';
import { type OwnTokenDeps, verifyOwnAccessToken } from '../oauth/issued-tokens/verify-own-token';
import { parseRefreshToken, type RefreshToken, refreshTokenHash } from '../oauth/refresh-token/refresh-token';
import { type CommandEnvelope, denyToken } from './deny-token';

export type RevokerDeps = HandleDeps & OwnTokenDeps;

export interface RevocationRequest extends CommandEnvelope {
  readonly reason: string;
  readonly at: Instant;
  readonly expiresAt: Instant | null;
}

type Outcome = Promise<Either<Rejection | Fault, Pick<HandledCommand<DomainEvent>, 'position'>>>;
export type Revoker<Value> = (deps: RevokerDeps, value: Value, request: RevocationRequest) => Outcome;

const envelopeOf = ({ commandId, actor, correlationId, fingerprint, tenant }: RevocationRequest): CommandEnvelope => ({
  commandId,
  actor,
  correlationId,
  fingerprint,
  tenant,
});

export const revokeByJti: Revoker<string> = (deps, jti, request) => {
  const { expiresAt, reason, at } = request;
  return denyToken(deps, { jti, expiresAt, principalId: null, reason, at }, envelopeOf(request));
};

const unknownToken = () =>
  reject('token-unknown', 'This is not an access token that is valid now, or a refresh token, of the tenant.');

/** Also one that was used before: its holder may have a later one. */
const revokeByRefreshToken: Revoker<RefreshToken> = async (deps, { tenantId, familyId, number, written }, request) => {
  if (tenantId !== request.tenant) return unknownToken();
  const loaded = await loadStream(deps, refreshFamily, refreshFamilyStream(tenantId, familyId));
  if (isLeft(loaded)) return loaded;
  const family = loaded.right;
  if (family.kind === 'none' || !containsToken(family, number, refreshTokenHash(written))) return unknownToken();
  return revokeByGrant(deps, family.grantId, request);
};

/** A token of another tenant is treated as no token. */
export const revokeByToken: Revoker<string> = async (deps, token, request) => {
  const { reason, at } = request;
  const refreshToken = parseRefreshToken(token);
  if (refreshToken !== undefined) return revokeByRefreshToken(deps, refreshToken, request);
  const read = await verifyOwnAccessToken(deps, token, at);
  if (isLeft(read)) return left(read.left);
  const claims = read.right;
  if (claims === undefined || claims.tenant_id !== request.tenant) return unknownToken();
  const { jti, sub, exp } = claims;
  const expiresAt = plusSeconds(new Date(0).toISOString() as Instant, exp);
  const principalId = PrincipalId.is(sub) ? sub : null;
  // Includes the jti: a second token under the same idempotency key is refused.
  const envelope = { ...envelopeOf(request), fingerprint: [request.fingerprint, jti] };
  return denyToken(deps, { jti, expiresAt, principalId, reason, at }, envelope);
};

const endTokensOf =
  (grants: GrantsOfBefore): Revoker<PrincipalId> =>
  (deps, principalId, request) =>
    handle(deps, principal, {
      ...envelopeOf(request),
      stream: principalStream(request.tenant, principalId),
      command: { type: 'BumpEpoch', principalId, to: null, grants, reason: request.reason, at: request.at },
    });

/** Ends the principal's grants, too: their refresh tokens would yield new access tokens. */
export const revokeByPrincipal = endTokensOf('ended');

export const revokeByGrant: Revoker<GrantId> = (deps, grantId, request) => {
  const { reason, actor, correlationId: requestId, commandId, tenant: tenantId } = request;
  return revokeGrant(deps, grantId, { tenantId, reason, ownedBy: null, actor, requestId, commandId });
};

/** Revokes the grant, too, because access tokens name the grant. */
export const revokeByFamily: Revoker<FamilyId> = async (deps, familyId, request) => {
  const loaded = await loadStream(deps, refreshFamily, refreshFamilyStream(request.tenant, familyId));
  if (isLeft(loaded)) return loaded;
  if (loaded.right.kind === 'none') return reject('family-unknown', 'There is no such refresh family.');
  return revokeByGrant(deps, loaded.right.grantId, request);
};

export const revokeBySession: Revoker<SessionId> = (deps, sessionId, request) =>
  handle(deps, session, {
    ...envelopeOf(request),
    stream: sessionStream(request.tenant, sessionId),
    command: { type: 'EndSession', sessionId, reason: request.reason },
  });

/** A principal's client_id is no application: raises the principal's epoch. */
export const revokeByClient: Revoker<string> = (deps, written, request) => {
  const own = parsePrincipalClientId(written);
  if (own !== undefined && own.tenantId === request.tenant) return endTokensOf('kept')(deps, own.principalId, request);
  const name = parseApplicationClientId(written);
  if (name?.tenantId !== request.tenant) return Promise.resolve(reject('client-unknown', 'There is no such client.'));
  const { applicationId } = name;
  return handle(deps, client, {
    ...envelopeOf(request),
    stream: clientStream(request.tenant, applicationId),
    command: { type: 'DisableClient', applicationId, reason: request.reason },
  });
};

const raiseNotBefore = (deps: RevokerDeps, stream: string, request: RevocationRequest): Outcome => {
  const { at, reason } = request;
  return handle(deps, tenantNotBefore, {
    ...envelopeOf(request),
    stream,
    command: { type: 'BumpTenantEpoch', at, reason },
  });
};

export const revokeByTenant: Revoker<true> = (deps, _, request) =>
  raiseNotBefore(deps, tenantSecurityStream(request.tenant), request);

export const revokeAllTokens: Revoker<true> = (deps, _, request) =>
  raiseNotBefore(deps, globalSecurityStream, { ...request, tenant: platformTenant });
