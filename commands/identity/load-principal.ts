/** A principal as its own stream says now: what is decided from it must not rest on a read model. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { principal } from '../../domain/identity/principal/decider';
import type { PrincipalEvent } from '../../domain/identity/principal/events';
import type { PrincipalState } from '../../domain/identity/principal/state';
import { principalStream } from '../../domain/identity/streams';
import { fold } from '../../domain/kernel/decider';
import type { EventStore, EventStoreFault, StoredEvent } from '../../infra/ports/event-store';
import type { ClientId } from './client-id';

/** A fact that cannot be read is a defect: going on without it could bring a revoked credential back. */
const decoded = ({ stream, revision, type, data }: StoredEvent): PrincipalEvent => {
  const event = principal.family.decode(type, data);
  if (isLeft(event)) throw new Error(`${stream} cannot be decoded at revision ${revision} (${type})`);
  return event.right;
};

export const loadPrincipal = async (
  store: EventStore,
  { tenantId, principalId }: ClientId,
): Promise<Either<EventStoreFault, PrincipalState>> => {
  const events = await store.read(principalStream(tenantId, principalId));
  return isLeft(events) ? events : right(fold(principal, principal.initial, events.right.map(decoded)));
};
