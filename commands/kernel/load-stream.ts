/** Loads the current state of a stream. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DomainEvent } from '../../domain/kernel/family';
import type { EventStore, EventStoreFault } from '../../infra/ports/event-store';
import { loadAggregate } from '../../infra/server/aggregates/load-aggregate';
import type { FoldRules } from '../../infra/server/aggregates/loaded-aggregate';
import type { ExclusiveAggregates } from './exclusive-aggregates';

export interface StreamSource {
  readonly store: EventStore;
  readonly warm?: ExclusiveAggregates;
}

export const loadStream = async <State, Event extends DomainEvent>(
  { store, warm }: StreamSource,
  rules: FoldRules<State, Event>,
  stream: string,
): Promise<Either<EventStoreFault, State>> => {
  const loaded = await loadAggregate({ store, cache: warm }, rules, stream);
  return isLeft(loaded) ? loaded : right(loaded.right.state);
};
