/** How each thing is revoked: by one command to the aggregate that it is, in the caller's own tenant. */
import { type Either, isLeft, left } from 'fp-ts/Either';
import { client } from '../../../domain/identity/client/decider';
import type { FamilyId, GrantId, SessionId } from '../../../domain/identity/ids';
import { principal } from '../../../domain/identity/principal/decider';
import type { GrantsOfBefore } from '../../../domain/identity/principal/events';
import { refreshFamily } from '../../../domain/identity/refresh-family/decider';
import { everyoneSecurityStream, tenantSecurityStream } from '../../../domain/identity/security-streams';
import { session } from '../../../domain/identity/session/decider';
import {
  clientStream,
  platformTenant,
  principalStream,
  refreshFamilyStream,
  sessionStream,
} from '../../../domain/identity/streams';
import { tenantFloor } from '../../../domain/identity/tenant-security/decider';
import type { Instant } from '../../../domain/kernel/codec';
import type { DomainEvent } from '../../../domain/kernel/family';
import { PrincipalId } from '../../../domain/kernel/ids';
import { plusSeconds } from '../../../domain/kernel/instant';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import { reject } from '../../../domain/kernel/rejection';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import type { HandleDeps, Handled } from '../../kernel/request';
import { readClientName } from '../clients/client-name';
import { type ReadDeps, readAccessToken } from '../grants/access-token-shown';
import { revokeGrant } from '../grants/revoke';
import { readClientId } from '../principals/client-id';
import { denyToken, type Said } from './deny';

export type RevokerDeps = HandleDeps & ReadDeps;

export interface Ask extends Said {
  readonly reason: string;
  readonly at: Instant;
  readonly expiresAt: Instant | null;
}

type Outcome = Promise<Either<Rejection | Fault, Pick<Handled<DomainEvent>, 'position'>>>;
export type Revoker<Value> = (deps: RevokerDeps, value: Value, ask: Ask) => Outcome;

const saidBy = ({ commandId, actor, correlationId, fingerprint, tenant }: Ask): Said => ({
  commandId,
  actor,
  correlationId,
  fingerprint,
  tenant,
});

export const byJti: Revoker<string> = (deps, jti, ask) => {
  const { expiresAt, reason, at } = ask;
  return denyToken(deps, { jti, expiresAt, principalId: null, reason, at }, saidBy(ask));
};

/** Of another tenant's token it is not even said that it is one. */
export const byToken: Revoker<string> = async (deps, token, ask) => {
  const { reason, at } = ask;
  const read = await readAccessToken(deps, token, at);
  if (isLeft(read)) return left(read.left);
  const claims = read.right;
  if (claims === undefined || claims.tenant_id !== ask.tenant)
    return reject('token-unknown', 'That is no access token of this tenant that still lives.');
  const { jti, sub, exp } = claims;
  const expiresAt = plusSeconds(new Date(0).toISOString() as Instant, exp);
  const principalId = PrincipalId.is(sub) ? sub : null;
  // Of two tokens under one key the second is refused, not taken for the first.
  const said = { ...saidBy(ask), fingerprint: [ask.fingerprint, jti] };
  return denyToken(deps, { jti, expiresAt, principalId, reason, at }, said);
};

const endTokens =
  (grants: GrantsOfBefore): Revoker<PrincipalId> =>
  (deps, principalId, ask) =>
    handle(deps, principal, {
      ...saidBy(ask),
      stream: principalStream(ask.tenant, principalId),
      command: { type: 'BumpEpoch', principalId, to: null, grants, reason: ask.reason, at: ask.at },
    });

/** With what it granted to applications: who ends a principal's tokens means those that would follow, too. */
export const byPrincipal = endTokens('ended');

export const byGrant: Revoker<GrantId> = (deps, grantId, ask) => {
  const { reason, actor, correlationId: requestId, commandId, tenant: tenantId } = ask;
  return revokeGrant(deps, grantId, { tenantId, reason, ownedBy: null, actor, requestId, commandId });
};

/** With its grant, which is what access tokens name. */
export const byFamily: Revoker<FamilyId> = async (deps, familyId, ask) => {
  const loaded = await loadStream(deps, refreshFamily, refreshFamilyStream(ask.tenant, familyId));
  if (isLeft(loaded)) return loaded;
  if (loaded.right.kind === 'none') return reject('family-unknown', 'There is no such refresh family.');
  return byGrant(deps, loaded.right.grantId, ask);
};

export const bySession: Revoker<SessionId> = (deps, sessionId, ask) =>
  handle(deps, session, {
    ...saidBy(ask),
    stream: sessionStream(ask.tenant, sessionId),
    command: { type: 'EndSession', sessionId, reason: ask.reason },
  });

/** A principal's own credential is no application, and granted nothing: what it got ends with the principal's epoch. */
export const byClient: Revoker<string> = (deps, written, ask) => {
  const own = readClientId(written);
  if (own !== undefined && own.tenantId === ask.tenant) return endTokens('kept')(deps, own.principalId, ask);
  const name = readClientName(written);
  if (name?.tenantId !== ask.tenant) return Promise.resolve(reject('client-unknown', 'There is no such client.'));
  const { applicationId } = name;
  return handle(deps, client, {
    ...saidBy(ask),
    stream: clientStream(ask.tenant, applicationId),
    command: { type: 'DisableClient', applicationId, reason: ask.reason },
  });
};

const raised = (deps: RevokerDeps, stream: string, ask: Ask): Outcome => {
  const { at, reason } = ask;
  return handle(deps, tenantFloor, { ...saidBy(ask), stream, command: { type: 'BumpTenantEpoch', at, reason } });
};

export const byTenant: Revoker<true> = (deps, _, ask) => raised(deps, tenantSecurityStream(ask.tenant), ask);

export const byEveryone: Revoker<true> = (deps, _, ask) =>
  raised(deps, everyoneSecurityStream, { ...ask, tenant: platformTenant });
