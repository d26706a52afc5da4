/** A principal as its own stream says now: what is decided from it must not rest on a read model. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import { principal } from '../../domain/identity/principal/decider';
import type { PrincipalState } from '../../domain/identity/principal/state';
import { principalStream } from '../../domain/identity/streams';
import type { EventStore, EventStoreFault } from '../../infra/ports/event-store';
import { extended, nothingLoaded } from '../kernel/loaded';
import type { Warm } from '../kernel/warm';
import type { ClientId } from './client-id';

export interface PrincipalSource {
  readonly store: EventStore;
  readonly warm?: Warm;
}

/** The store is asked each time, for what came after the state that is kept: another process may have revoked. */
export const loadPrincipal = async (
  { store, warm }: PrincipalSource,
  { tenantId, principalId }: ClientId,
): Promise<Either<EventStoreFault, PrincipalState>> => {
  const stream = principalStream(tenantId, principalId);
  const known = warm?.find(principal, stream) ?? nothingLoaded(principal);
  const tail = await store.read(stream, known.revision + 1);
  if (isLeft(tail)) return tail;
  const now = extended(principal, known, tail.right);
  // Names that do not exist are not kept, or guessing would push out those that do.
  if (now.revision >= 0) warm?.keep(principal, stream, now);
  return right(now.state);
};
