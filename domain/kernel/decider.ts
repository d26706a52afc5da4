/** A decider is an aggregate's rules: which commands make which events, and what the events make of the state. */
import type { Either } from 'fp-ts/Either';
import type { AggregateFamily, DomainEvent } from './family';
import type { Rejection } from './rejection';

export interface Decider<Command, State, Event extends DomainEvent, Code extends string> {
  /** Its events, and the streams that they are in. */
  readonly family: AggregateFamily<Event>;
  readonly initial: State;
  /** Cannot fail: every recorded fact is accepted. */
  readonly evolve: (state: State, event: Event) => State;
  /** `[]` when the command's effect is already there. */
  readonly decide: (command: Command, state: State) => Either<Rejection<Code>, readonly Event[]>;
}

export const fold = <State, Event extends DomainEvent>(
  { evolve }: { readonly evolve: (state: State, event: Event) => State },
  from: State,
  events: readonly Event[],
): State => events.reduce(evolve, from);
