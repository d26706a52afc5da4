/** What a sign-in gives an application: a grant, and refresh tokens where they were asked for. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Grant, grant } from '../../../domain/identity/grant/decider';
import type { FamilyId, GrantId } from '../../../domain/identity/ids';
import type { PrincipalType } from '../../../domain/identity/principal-id';
import { refreshFamily } from '../../../domain/identity/refresh-family/decider';
import { grantStream, refreshFamilyStream } from '../../../domain/identity/streams';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { JsonAnswer } from '../../../infra/http/route';
import type { Kms } from '../../../infra/ports/kms';
import { derivedId } from '../../kernel/derive';
import { handle } from '../../kernel/handle';
import type { HandleDeps } from '../../kernel/request';
import { type Binding, thumbprintsOf } from '../token/binding';
import { oauthError, refuse } from '../token/oauth-error';
import type { Authentication } from '../token/order';
import { makeRefreshToken, refreshHash } from './refresh-token';

export interface OpenDeps extends HandleDeps {
  readonly kms: Pick<Kms, 'derive'>;
}

export interface GrantOrder extends Pick<Grant, 'principalId' | 'clientId' | 'scopes' | 'audience' | 'sessionId'> {
  readonly tenantId: TenantId;
  readonly principalType: PrincipalType;
  /** As read from the principal's own stream for this very order. */
  readonly securityEpoch: number;
  readonly authentication: Authentication;
  /** What every use of a refresh token has to show again. */
  readonly binding: Binding | null;
  /** With refresh tokens, which the client may have. */
  readonly offline: boolean;
  readonly refreshIdleSeconds: number;
  /** Of the grant and of its refresh tokens, however much they are used. */
  readonly expiresAt: Instant;
  readonly at: Instant;
  /** What is spent on it, such as the id of a code: saying it again opens the same grant, and makes the same token. */
  readonly derivedFrom: string;
  readonly requestId: string;
}

export interface OpenedGrant {
  readonly grantId: GrantId;
  readonly familyId: FamilyId | null;
  readonly refreshToken: string | null;
}

/** What redeeming a thing twice has to revoke is found by this, before anything was opened too. */
export const grantIdFrom = (tenantId: TenantId, derivedFrom: string): GrantId =>
  derivedId('grant', tenantId, derivedFrom) as GrantId;

const requestOf = (order: GrantOrder, stream: string) => ({
  stream,
  commandId: derivedId('open', stream, order.derivedFrom),
  tenant: order.tenantId,
  actor: order.principalId,
  correlationId: order.requestId,
  fingerprint: order.derivedFrom,
  fresh: true,
});

const openTheGrant = (deps: OpenDeps, order: GrantOrder, [grantId, refreshFamilyId]: [GrantId, FamilyId | null]) => {
  const { principalId, principalType, clientId, sessionId, authentication, expiresAt, at: createdAt } = order;
  const whose = { grantId, principalId, principalType, clientId, sessionId, refreshFamilyId };
  const what = { scopes: [...order.scopes], audience: [...order.audience] };
  const how = { authenticatedAt: authentication.at, methods: [...authentication.methods] };
  const data = { ...whose, ...what, ...how, createdAt, expiresAt };
  const request = requestOf(order, grantStream(order.tenantId, grantId));
  return handle(deps, grant, { ...request, command: { type: 'OpenGrant', data } });
};

const openTheFamily = (
  deps: OpenDeps,
  order: GrantOrder,
  { grantId, familyId, refreshToken }: { grantId: GrantId; familyId: FamilyId; refreshToken: string },
) => {
  const { principalId, clientId, securityEpoch, expiresAt, at: openedAt, refreshIdleSeconds: idleSeconds } = order;
  const whose = { familyId, grantId, principalId, clientId, ...thumbprintsOf(order.binding), securityEpoch };
  const data = { ...whose, hash: refreshHash(refreshToken), openedAt, idleSeconds, expiresAt };
  const request = requestOf(order, refreshFamilyStream(order.tenantId, familyId));
  return handle(deps, refreshFamily, { ...request, command: { type: 'OpenFamily', data } });
};

const notNow = (kind: 'rejection' | 'fault', detail: string): Either<JsonAnswer, never> =>
  kind === 'fault' ? left(oauthError('temporarily_unavailable', detail)) : refuse('invalid_grant', detail);

/** A crash between the two leaves a grant of which nothing was handed out, and which the next try completes. */
export const openGrant = async (deps: OpenDeps, order: GrantOrder): Promise<Either<JsonAnswer, OpenedGrant>> => {
  const { tenantId, derivedFrom, offline } = order;
  const grantId = grantIdFrom(tenantId, derivedFrom);
  const familyId = offline ? (derivedId('refresh-family', tenantId, derivedFrom) as FamilyId) : null;
  const opened = await openTheGrant(deps, order, [grantId, familyId]);
  if (isLeft(opened)) return notNow(opened.left.kind, opened.left.detail);
  if (familyId === null) return right({ grantId, familyId, refreshToken: null });
  const made = await makeRefreshToken(deps.kms, { tenantId, familyId, number: 0 });
  if (isLeft(made)) return notNow('fault', made.left.detail);
  const refreshToken = made.right;
  const family = await openTheFamily(deps, order, { grantId, familyId, refreshToken });
  if (isLeft(family)) return notNow(family.left.kind, family.left.detail);
  return right({ grantId, familyId, refreshToken });
};
