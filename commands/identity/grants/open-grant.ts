/** Opens a grant and, if requested, its refresh token family. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PersonClaim } from '../../../domain/identity/authorization/requested-claims';
import { type Grant, grant } from '../../../domain/identity/grant/decider';
import { type GrantedWorkload, grantStream } from '../../../domain/identity/grant/events';
import type { FamilyId, GrantId, PrincipalType } from '../../../domain/identity/ids';
import { refreshFamily } from '../../../domain/identity/refresh-family/decider';
import { refreshFamilyStream } from '../../../domain/identity/refresh-family/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Kms } from '../../../infra/ports/kms';
import type { JsonAnswer } from '../../../infra/server/http/routing/route';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/handle-request';
import { deriveRefreshToken, refreshTokenHash } from '../oauth/refresh-token/refresh-token';
import type { Authentication } from '../oauth/token/issuance-request';
import { oauthError, oauthFailure } from '../oauth/token/oauth-error';
import { type SenderConstraint, thumbprintsOf } from '../oauth/token/sender-constraint';

export interface OpenGrantDeps extends HandleDeps {
  readonly kms: Pick<Kms, 'derive'>;
}

export interface GrantRequest extends Pick<Grant, 'principalId' | 'clientId' | 'scopes' | 'audience' | 'sessionId'> {
  readonly tenantId: TenantId;
  readonly principalType: PrincipalType;
  /** Read from the principal's stream for this request. */
  readonly securityEpoch: number;
  readonly authentication: Authentication;
  /** Constraint that every use of a refresh token must satisfy. */
  readonly binding: SenderConstraint | null;
  /** Opens a refresh token family, too. */
  readonly offline: boolean;
  readonly refreshIdleSeconds: number;
  /** The client's grant epoch at the approval. */
  readonly clientEpoch: number;
  /** Claims that the request named for ID tokens. */
  readonly idTokenClaims: readonly PersonClaim[];
  /** Absolute expiry of the grant and its refresh tokens. */
  readonly expiresAt: Instant;
  readonly at: Instant;
  /** Id of the redeemed code or request. The same value opens the same grant with the same refresh token. */
  readonly derivedFrom: string;
  /** Of an exchanged credential. */
  readonly workload?: GrantedWorkload;
  readonly requestId: string;
}

export interface OpenedGrant {
  readonly grantId: GrantId;
  readonly familyId: FamilyId | null;
  readonly refreshToken: string | null;
}

/** Derived, so that a replay can revoke the grant even before it was opened. */
export const grantIdFrom = (tenantId: TenantId, derivedFrom: string): GrantId =>
  derivedId('grant', tenantId, derivedFrom) as GrantId;

const commandRequestOf = (order: GrantRequest, stream: string) => ({
  stream,
  commandId: derivedId('open', stream, order.derivedFrom),
  tenant: order.tenantId,
  actor: order.principalId,
  correlationId: order.requestId,
  fingerprint: order.derivedFrom,
  fresh: true,
});

const recordGrant = (
  deps: OpenGrantDeps,
  order: GrantRequest,
  { grantId, refreshFamilyId }: { readonly grantId: GrantId; readonly refreshFamilyId: FamilyId | null },
) => {
  const { principalId, principalType, clientId, sessionId, authentication, expiresAt, at: createdAt } = order;
  const whose = { grantId, principalId, principalType, clientId, sessionId, refreshFamilyId };
  const what = { scopes: [...order.scopes], audience: [...order.audience] };
  const how = { authenticatedAt: authentication.at, methods: [...authentication.methods] };
  const data = {
    ...whose,
    ...what,
    ...how,
    createdAt,
    expiresAt,
    clientEpoch: order.clientEpoch,
    idTokenClaims: [...order.idTokenClaims],
    workload: order.workload ?? null,
  };
  const request = commandRequestOf(order, grantStream(order.tenantId, grantId));
  return handle(deps, grant, { ...request, command: { type: 'OpenGrant', data } });
};

const recordFamily = (
  deps: OpenGrantDeps,
  order: GrantRequest,
  { grantId, familyId, refreshToken }: { grantId: GrantId; familyId: FamilyId; refreshToken: string },
) => {
  const { principalId, clientId, securityEpoch, expiresAt, at: openedAt, refreshIdleSeconds: idleSeconds } = order;
  const whose = { familyId, grantId, principalId, clientId, ...thumbprintsOf(order.binding), securityEpoch };
  const data = { ...whose, hash: refreshTokenHash(refreshToken), openedAt, idleSeconds, expiresAt };
  const request = commandRequestOf(order, refreshFamilyStream(order.tenantId, familyId));
  return handle(deps, refreshFamily, { ...request, command: { type: 'OpenFamily', data } });
};

const openFailure = (kind: 'rejection' | 'fault', detail: string): Either<JsonAnswer, never> =>
  kind === 'fault' ? left(oauthError('temporarily_unavailable', detail)) : oauthFailure('invalid_grant', detail);

/** After a crash between the two appends, the grant has no tokens yet and a retry completes it. */
export const openGrant = async (deps: OpenGrantDeps, order: GrantRequest): Promise<Either<JsonAnswer, OpenedGrant>> => {
  const { tenantId, derivedFrom, offline } = order;
  const grantId = grantIdFrom(tenantId, derivedFrom);
  const familyId = offline ? (derivedId('refresh-family', tenantId, derivedFrom) as FamilyId) : null;
  const opened = await recordGrant(deps, order, { grantId, refreshFamilyId: familyId });
  if (isLeft(opened)) return openFailure(opened.left.kind, opened.left.detail);
  if (familyId === null) return right({ grantId, familyId, refreshToken: null });
  const made = await deriveRefreshToken(deps.kms, { tenantId, familyId, number: 0 });
  if (isLeft(made)) return openFailure('fault', made.left.detail);
  const refreshToken = made.right;
  const family = await recordFamily(deps, order, { grantId, familyId, refreshToken });
  if (isLeft(family)) return openFailure(family.left.kind, family.left.detail);
  return right({ grantId, familyId, refreshToken });
};
