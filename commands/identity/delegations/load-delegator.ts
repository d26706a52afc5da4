/** The caller as delegator: what its token holds, and what ends with the token's sign-in. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { consoleApplication } from '../../../domain/identity/client/built-in-clients';
import { type Delegator, delegation } from '../../../domain/identity/delegation/decider';
import { delegationStream } from '../../../domain/identity/delegation/events';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import { DelegationId, GrantId, PrincipalType, SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { Instant } from '../../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { Identity } from '../../../infra/server/http/routing/route';
import { loadStream } from '../../kernel/load-stream';
import { parseApplicationClientId } from '../clients/client-id';
import { type ClientSource, loadClient } from '../clients/load-client';
import { loadAudiences } from '../protected-apis/load-registry';

interface Caller {
  readonly tenantId: TenantId;
  readonly identity: Identity;
  readonly at: Instant;
}

const sessionEnd = async (
  source: ClientSource,
  { tenantId, at }: Caller,
  sessionId: SessionId,
): Promise<Either<EventStoreFault, Instant>> => {
  const found = await loadStream(source, session, sessionStream(tenantId, sessionId));
  if (isLeft(found)) return found;
  return right(found.right.kind === 'open' ? found.right.session.expiresAt : at);
};

const grantEnd = async (
  source: ClientSource,
  { tenantId, at }: Caller,
  grantId: GrantId,
): Promise<Either<EventStoreFault, Instant>> => {
  const found = await loadStream(source, grant, grantStream(tenantId, grantId));
  if (isLeft(found)) return found;
  return right(found.right.kind === 'grant' && found.right.status === 'ACTIVE' ? found.right.expiresAt : at);
};

/** A session outlives the grants of its short-lived tokens; without a session the grant is the sign-in. */
const signInEnd = async (
  source: ClientSource,
  caller: Caller,
  { sessionId, sourceGrantId }: Pick<Delegator, 'sessionId' | 'sourceGrantId'>,
): Promise<Either<EventStoreFault, Instant | null>> => {
  if (sessionId !== null) return sessionEnd(source, caller, sessionId);
  return sourceGrantId === null ? right(null) : grantEnd(source, caller, sourceGrantId);
};

/** Of an application, its registration's; a principal's own credential may get tokens for any. */
const audiencesOf = async (
  source: ClientSource,
  { identity: { clientId }, tenantId }: Caller,
): Promise<Either<EventStoreFault, readonly string[]>> => {
  const audiences = await loadAudiences(source, tenantId);
  if (isLeft(audiences)) return audiences;
  const name = clientId === undefined ? undefined : parseApplicationClientId(clientId);
  if (name === undefined) return audiences;
  const found = await loadClient(source, name);
  if (isLeft(found)) return found;
  // A person delegates in the console what it gets no tokens for itself.
  if (name.applicationId === consoleApplication) return audiences;
  const own = found.right?.audiences ?? [];
  return right(audiences.right.filter((audience) => own.includes(audience)));
};

const earlier = (one: Instant | null, other: Instant): Instant => (one !== null && one < other ? one : other);

/** Undefined: the caller's token names no principal that can delegate. */
export const loadDelegator = async (
  source: ClientSource,
  caller: Caller,
): Promise<Either<EventStoreFault, Delegator | undefined>> => {
  const { identity, tenantId } = caller;
  const { principalId: delegatorId, principalType: delegatorType, scopes: held, securityEpoch } = identity;
  if (!PrincipalId.is(delegatorId) || !PrincipalType.is(delegatorType)) return right(undefined);
  const sessionId = SessionId.is(identity.sessionId) ? identity.sessionId : null;
  const sourceGrantId = GrantId.is(identity.grantId) ? identity.grantId : null;
  const [ends, audiences] = await Promise.all([
    signInEnd(source, caller, { sessionId, sourceGrantId }),
    audiencesOf(source, caller),
  ]);
  if (isLeft(ends)) return ends;
  if (isLeft(audiences)) return audiences;
  const own = { delegatorId, delegatorType, delegatorEpoch: securityEpoch ?? 1, held, audiences: audiences.right };
  const { delegation: acting } = identity;
  if (acting === undefined) return right({ ...own, sessionId, sourceGrantId, endsAt: ends.right, parent: null });
  if (!DelegationId.is(acting.delegationId)) return right(undefined);
  const parent = await loadStream(source, delegation, delegationStream(tenantId, acting.delegationId));
  if (isLeft(parent)) return parent;
  if (parent.right.kind === 'none' || parent.right.agentId !== delegatorId) return right(undefined);
  const endsAt = earlier(ends.right, parent.right.expiresAt);
  return right({ ...own, sessionId, sourceGrantId, endsAt, parent: parent.right });
};
