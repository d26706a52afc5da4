/** A stream as it stands now: the store is asked each time, for what came after the state that is kept. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Decider } from '../../domain/kernel/decider';
import type { DomainEvent } from '../../domain/kernel/family';
import type { EventStore, EventStoreFault } from '../../infra/ports/event-store';
import { extended, nothingLoaded } from './loaded';
import type { Warm } from './warm';

export interface StreamSource {
  readonly store: EventStore;
  readonly warm?: Warm;
}

export const loadStream = async <State, Event extends DomainEvent>(
  { store, warm }: StreamSource,
  rules: Pick<Decider<never, State, Event, never>, 'family' | 'initial' | 'evolve'>,
  stream: string,
): Promise<Either<EventStoreFault, State>> => {
  const known = warm?.find(rules, stream) ?? nothingLoaded(rules);
  const tail = await store.read(stream, known.revision + 1);
  if (isLeft(tail)) return tail;
  const now = extended(rules, known, tail.right);
  // Names that do not exist are not kept, or guessing would push out those that do.
  if (now.revision >= 0) warm?.keep(rules, stream, now);
  return right(now.state);
};
