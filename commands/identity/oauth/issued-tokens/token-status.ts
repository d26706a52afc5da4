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
import type { AccessTokenClaims } from '../../../../packages/resource-server/src/verification/index';
import { loadStream } from '../../../kernel/load-stream';
import { parseApplicationClientId } from '../../clients/client-id';
import { type ClientSource, loadClient, loadClientNotBefore } from '../../clients/load-client';
import { loadPrincipal } from '../../principals/load-principal';

type ActiveResult = Promise<Either<EventStoreFault, boolean>>;

const instantOf = (seconds: number): Instant => new Date(seconds * 1000).toISOString() as Instant;

const isActiveByPrincipal = async (
  source: ClientSource,
  tenantId: TenantId,
  claims: AccessTokenClaims,
): ActiveResult => {
  if (!PrincipalId.is(claims.sub)) return right(true);
  const loaded = await loadPrincipal(source, { tenantId, principalId: claims.sub });
  if (isLeft(loaded)) return loaded;
  const found = loaded.right;
  return right(found.kind === 'none' || found.status !== 'ACTIVE' || claims.security_epoch < found.securityEpoch);
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

const isActiveByGrant = async (source: ClientSource, tenantId: TenantId, { gid }: AccessTokenClaims): ActiveResult => {
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
    isActiveByPrincipal(source, tenantId, claims),
    isNotDenied(source, tenantId, claims),
    isAfterNotBefore(source, tenantSecurityStream(tenantId), claims),
    isAfterNotBefore(source, globalSecurityStream, claims),
    isActiveByGrant(source, tenantId, claims),
    isActiveBySession(source, tenantId, claims),
    isActiveByClient(source, claims),
  ]);
  for (const ended of verdicts) if (isLeft(ended) || ended.right) return isLeft(ended) ? ended : right(false);
  return right(true);
};
