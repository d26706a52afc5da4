/** Loads an aggregate: reads the stream's events after the cached state and applies them. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DomainEvent } from '../../../domain/kernel/family';
import type { EventStore, EventStoreFault } from '../../ports/event-store';
import type { AggregateCache } from './aggregate-cache';
import { applyStoredEvents, emptyAggregate, type FoldRules, type LoadedAggregate } from './loaded-aggregate';

export interface AggregateSource {
  readonly store: Pick<EventStore, 'read'>;
  readonly cache: AggregateCache | undefined;
}

export const loadAggregate = async <State, Event extends DomainEvent>(
  { store, cache }: AggregateSource,
  rules: FoldRules<State, Event>,
  stream: string,
): Promise<Either<EventStoreFault, LoadedAggregate<State>>> => {
  const known = cache?.find(rules, stream) ?? emptyAggregate(rules);
  const tail = await store.read(stream, known.revision + 1);
  if (isLeft(tail)) return tail;
  const loaded = applyStoredEvents(rules, known, tail.right);
  // A stream without events stays out of the cache: lookups of unknown names must not evict what exists.
  if (loaded.revision >= 0) cache?.set(rules, stream, loaded);
  return right(loaded);
};
