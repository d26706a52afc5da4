/** Idle sessions that refresh tokens still depend on, found through consents. First-party applications have none and are not included. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { consent } from '../../../domain/identity/consent/decider';
import { consentStream } from '../../../domain/identity/consent/events';
import { grant } from '../../../domain/identity/grant/decider';
import { grantStream } from '../../../domain/identity/grant/events';
import type { GrantId, SessionId } from '../../../domain/identity/ids';
import { session } from '../../../domain/identity/session/decider';
import { sessionStream } from '../../../domain/identity/session/events';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';

interface SessionOwner {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

const sessionIdOfGrant = async (
  source: StreamSource,
  tenantId: TenantId,
  grantId: GrantId,
): Promise<Either<EventStoreFault, SessionId | null>> => {
  const loaded = await loadStream(source, grant, grantStream(tenantId, grantId));
  if (isLeft(loaded)) return loaded;
  return right(loaded.right.kind === 'grant' && loaded.right.status === 'ACTIVE' ? loaded.right.sessionId : null);
};

/** Only sessions that have not ended. */
export const idleSessionsWithGrants = async (
  source: StreamSource,
  { tenantId, principalId }: SessionOwner,
  { at, known }: { readonly at: Instant; readonly known: readonly SessionId[] },
): Promise<Either<EventStoreFault, readonly SessionId[]>> => {
  const consents = await loadStream(source, consent, consentStream(tenantId, principalId));
  if (isLeft(consents)) return consents;
  const looked = new Set<SessionId>(known);
  const open: SessionId[] = [];
  for (const { grantId, expiresAt } of [...consents.right.values()].flatMap(({ uses }) => uses)) {
    if (expiresAt <= at) continue;
    const sessionId = await sessionIdOfGrant(source, tenantId, grantId);
    if (isLeft(sessionId)) return sessionId;
    if (sessionId.right === null || looked.has(sessionId.right)) continue;
    looked.add(sessionId.right);
    const state = await loadStream(source, session, sessionStream(tenantId, sessionId.right));
    if (isLeft(state)) return state;
    if (state.right.kind === 'open') open.push(sessionId.right);
  }
  return right(open);
};
