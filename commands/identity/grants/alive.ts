/** Whether anything that is recorded ends a token before its time: asked of the log itself, where gateways ask what they heard of it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { denial } from '../../../domain/identity/denial/decider';
import { grant } from '../../../domain/identity/grant/decider';
import { GrantId, SessionId } from '../../../domain/identity/ids';
import { denialStream, everyoneSecurityStream, tenantSecurityStream } from '../../../domain/identity/security-streams';
import { session } from '../../../domain/identity/session/decider';
import { grantStream, sessionStream } from '../../../domain/identity/streams';
import { tenantFloor } from '../../../domain/identity/tenant-security/decider';
import type { Instant } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { AccessTokenClaims } from '../../../packages/resource-server/src/verification/index';
import { loadStream } from '../../kernel/load-stream';
import { clientFloor } from '../clients/client-floor';
import { readClientName } from '../clients/client-name';
import { type ClientSource, loadClient } from '../clients/load-client';
import { loadPrincipal } from '../principals/load-principal';

type Verdict = Promise<Either<EventStoreFault, boolean>>;

const instantOf = (seconds: number): Instant => new Date(seconds * 1000).toISOString() as Instant;

const byPrincipal = async (source: ClientSource, tenantId: TenantId, claims: AccessTokenClaims): Verdict => {
  if (!PrincipalId.is(claims.sub)) return right(true);
  const loaded = await loadPrincipal(source, { tenantId, principalId: claims.sub });
  if (isLeft(loaded)) return loaded;
  const found = loaded.right;
  return right(found.kind === 'none' || found.status !== 'ACTIVE' || claims.security_epoch < found.securityEpoch);
};

const byDenial = async (source: ClientSource, tenantId: TenantId, { jti, exp }: AccessTokenClaims): Verdict => {
  const loaded = await loadStream(source, denial, denialStream(tenantId, { jti, expiresAt: instantOf(exp) }));
  return isLeft(loaded) ? loaded : right(loaded.right.denied.has(jti));
};

const byFloor = async (source: ClientSource, stream: string, { iat }: AccessTokenClaims): Verdict => {
  const loaded = await loadStream(source, tenantFloor, stream);
  if (isLeft(loaded)) return loaded;
  const { notBefore } = loaded.right;
  return right(notBefore !== null && iat * 1000 < Date.parse(notBefore));
};

const byGrant = async (source: ClientSource, tenantId: TenantId, { gid }: AccessTokenClaims): Verdict => {
  if (gid === undefined || !GrantId.is(gid)) return right(gid !== undefined);
  const loaded = await loadStream(source, grant, grantStream(tenantId, gid));
  if (isLeft(loaded)) return loaded;
  return right(loaded.right.kind === 'none' || loaded.right.status !== 'ACTIVE');
};

const bySession = async (source: ClientSource, tenantId: TenantId, { sid }: AccessTokenClaims): Verdict => {
  if (sid === undefined || !SessionId.is(sid)) return right(sid !== undefined);
  const loaded = await loadStream(source, session, sessionStream(tenantId, sid));
  return isLeft(loaded) ? loaded : right(loaded.right.kind === 'ended');
};

const byClient = async (source: ClientSource, { client_id: written, iat }: AccessTokenClaims): Verdict => {
  const name = written === undefined ? undefined : readClientName(written);
  if (name === undefined) return right(false);
  const [loaded, floor] = await Promise.all([loadClient(source, name), clientFloor(source, name)]);
  if (isLeft(loaded)) return loaded;
  if (isLeft(floor)) return floor;
  return right(loaded.right?.enabled !== true || iat * 1000 < floor.right);
};

/** Left: it cannot be known right now. */
export const isAlive = async (source: ClientSource, claims: AccessTokenClaims): Verdict => {
  const { tenant_id: tenantId } = claims;
  if (!TenantId.is(tenantId)) return right(false);
  const verdicts = await Promise.all([
    byPrincipal(source, tenantId, claims),
    byDenial(source, tenantId, claims),
    byFloor(source, tenantSecurityStream(tenantId), claims),
    byFloor(source, everyoneSecurityStream, claims),
    byGrant(source, tenantId, claims),
    bySession(source, tenantId, claims),
    byClient(source, claims),
  ]);
  for (const ended of verdicts) if (isLeft(ended) || ended.right) return isLeft(ended) ? ended : right(false);
  return right(true);
};
