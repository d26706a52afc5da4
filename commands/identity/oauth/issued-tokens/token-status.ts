/** Whether a token is active by the log itself; gateways use their security state instead. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { denial } from '../../../../domain/identity/denylist/decider';
import { denialStream } from '../../../../domain/identity/denylist/events';
import { grant } from '../../../../domain/identity/grant/decider';
import { grantStream } from '../../../../domain/identity/grant/events';
import { GrantId, SessionId } from '../../../../domain/identity/ids';
import { session } from '../../../../domain/identity/session/decider';
import { sessionStream } from '../../../../domain/identity/session/events';
import { tenantNotBefore } from '../../../../domain/identity/tenant-security/decider';
import { globalSecurityStream, tenantSecurityStream } from '../../../../domain/identity/tenant-security/events';
import type { Instant } from '../../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../../infra/ports/event-store';
import { type AccessTokenClaims, priorActorsOf } from '../../../../packages/resource-server/src/verification/index';
import { loadStream } from '../../../kernel/load-stream';
import { parseApplicationClientId } from '../../clients/client-id';
import { type ClientSource, loadClient, loadClientNotBefore } from '../../clients/load-client';
import { loadPrincipal } from '../../principals/load-principal';

type ActiveResult = Promise<Either<EventStoreFault, boolean>>;

const instantOf = (seconds: number): Instant => new Date(seconds * 1000).toISOString() as Instant;

interface PrincipalAtEpoch {
  readonly sub: string;
  readonly epoch: number;
}

const hasPrincipalEnded = async (
  source: ClientSource,
  tenantId: TenantId,
  { sub, epoch }: PrincipalAtEpoch,
): ActiveResult => {
  if (!PrincipalId.is(sub)) return right(true);
  const loaded = await loadPrincipal(source, { tenantId, principalId: sub });
  if (isLeft(loaded)) return loaded;
  const found = loaded.right;
  return right(found.kind === 'none' || found.status !== 'ACTIVE' || epoch < found.securityEpoch);
};

/** The principal, the one at the beginning that it acts for, and the agents between them. */
const principalsOf = (claims: AccessTokenClaims): readonly PrincipalAtEpoch[] => {
  const { sub, security_epoch: epoch, on_behalf_of: onBehalfOf, obo_epoch: onBehalfOfEpoch = 0 } = claims;
  return [
    { sub, epoch },
    ...(onBehalfOf === undefined ? [] : [{ sub: onBehalfOf, epoch: onBehalfOfEpoch }]),
    ...priorActorsOf(claims).map((actor) => ({ sub: actor.sub, epoch: actor.security_epoch ?? 0 })),
  ];
};

const isNotDenied = async (source: ClientSource, tenantId: TenantId, { jti, exp }: AccessTokenClaims): ActiveResult => {
  const loaded = await loadStream(source, denial, denialStream(tenantId, { jti, expiresAt: instantOf(exp) }));
  return isLeft(loaded) ? loaded : right(loaded.right.denied.has(jti));
};

const isAfterNotBefore = async (source: ClientSource, stream: string, { iat }: AccessTokenClaims): ActiveResult => {
  const loaded = await loadStream(source, tenantNotBefore, stream);
  if (isLeft(loaded)) return loaded;
  const { notBefore } = loaded.right;
  return right(notBefore !== null && iat * 1000 < Date.parse(notBefore));
};

const hasGrantEnded = async (source: ClientSource, tenantId: TenantId, gid: string | undefined): ActiveResult => {
  if (gid === undefined || !GrantId.is(gid)) return right(gid !== undefined);
  const loaded = await loadStream(source, grant, grantStream(tenantId, gid));
  if (isLeft(loaded)) return loaded;
  return right(loaded.right.kind === 'none' || loaded.right.status !== 'ACTIVE');
};

const isActiveBySession = async (
  source: ClientSource,
  tenantId: TenantId,
  { sid }: AccessTokenClaims,
): ActiveResult => {
  if (sid === undefined || !SessionId.is(sid)) return right(sid !== undefined);
  const loaded = await loadStream(source, session, sessionStream(tenantId, sid));
  return isLeft(loaded) ? loaded : right(loaded.right.kind === 'ended');
};

const isActiveByClient = async (source: ClientSource, { client_id: written, iat }: AccessTokenClaims): ActiveResult => {
  const name = written === undefined ? undefined : parseApplicationClientId(written);
  if (name === undefined) return right(false);
  const [loaded, floor] = await Promise.all([loadClient(source, name), loadClientNotBefore(source, name)]);
  if (isLeft(loaded)) return loaded;
  if (isLeft(floor)) return floor;
  return right(loaded.right?.enabled !== true || iat * 1000 < floor.right);
};

/** Left: the log is unavailable. */
export const isActive = async (source: ClientSource, claims: AccessTokenClaims): ActiveResult => {
  const { tenant_id: tenantId } = claims;
  if (!TenantId.is(tenantId)) return right(false);
  const verdicts = await Promise.all([
    ...principalsOf(claims).map((principal) => hasPrincipalEnded(source, tenantId, principal)),
    isNotDenied(source, tenantId, claims),
    isAfterNotBefore(source, tenantSecurityStream(tenantId), claims),
    isAfterNotBefore(source, globalSecurityStream, claims),
    ...[claims, ...priorActorsOf(claims)].map(({ gid }) => hasGrantEnded(source, tenantId, gid)),
    isActiveBySession(source, tenantId, claims),
    isActiveByClient(source, claims),
  ]);
  for (const ended of verdicts) if (isLeft(ended) || ended.right) return isLeft(ended) ? ended : right(false);
  return right(true);
};
