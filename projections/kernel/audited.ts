/** One kind of stream made readable and foldable, whatever its state is. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { DomainEvent, Family } from '../../domain/kernel/family';
import type { StoredEvent } from '../../infra/ports/event-store';
import { type EventFacts, type Poison, poisoned, recordedOf } from './recorded';

export interface Step {
  readonly facts: EventFacts;
  readonly before: unknown;
  readonly after: unknown;
}

export interface Audited {
  /** How the names of its streams begin. */
  readonly prefix: string;
  readonly initial: unknown;
  /** The personal fields of an event by its stored type, whatever version that is of. */
  readonly secretsOf: (storedType: string) => readonly string[];
  readonly step: (state: unknown, stored: StoredEvent) => Either<Poison, Step>;
}

export interface AuditedSpec<State, Event extends DomainEvent> {
  readonly family: Family<Event>;
  readonly aggregate: string;
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
}

export const audited = <State, Event extends DomainEvent>({
  family,
  aggregate,
  initial,
  evolve,
}: AuditedSpec<State, Event>): Audited => ({
  prefix: `${family.context}.${aggregate}-`,
  initial,
  secretsOf: (storedType) => {
    const [, type = ''] = storedType.split('.');
    return family.secrets[type] ?? [];
  },
  step: (before, stored) => {
    const read = recordedOf(family, stored);
    if (isLeft(read)) return read;
    const { type, recorded } = read.right;
    try {
      const after = evolve(before as State, { type, data: recorded.data } as Event);
      return right({ facts: recorded.event, before, after });
    } catch (error) {
      return poisoned(stored, `The state cannot take it: ${error instanceof Error ? error.name : 'it threw'}.`);
    }
  },
});
