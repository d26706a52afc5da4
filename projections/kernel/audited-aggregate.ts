/** One kind of stream made readable and foldable, whatever its state is. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { ContextStreams } from '../../domain/kernel/context-streams';
import type { DomainEvent, Family } from '../../domain/kernel/family';
import type { Process, Send } from '../../domain/kernel/process';
import { type AnyProcess, instanceAggregate, instanceFold } from '../../domain/kernel/process-instance';
import type { StoredEvent } from '../../infra/ports/event-store';
import { decodeRecordedEvent, type EventInfo, type PoisonEvent, poisonEvent } from './recorded-event';

export interface AuditStep {
  readonly facts: EventInfo;
  readonly before: unknown;
  readonly after: unknown;
}

export interface AuditedAggregate {
  /** How the names of its streams begin. */
  readonly prefix: string;
  readonly initial: unknown;
  readonly storedTypes: readonly string[];
  /** The personal fields of an event by its stored type, whatever version that is of. */
  readonly secretsOf: (storedType: string) => readonly string[];
  readonly step: (state: unknown, stored: StoredEvent) => Either<PoisonEvent, AuditStep>;
}

interface AggregateFold<State, Event extends DomainEvent> {
  readonly family: Family<Event>;
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
}

type Folded = Omit<AuditedAggregate, 'prefix'>;

/** How the events of an aggregate become state, whatever the state is. */
export const auditedAggregate = <State, Event extends DomainEvent>({
  family,
  initial,
  evolve,
}: AggregateFold<State, Event>): Folded => ({
  initial,
  storedTypes: family.storedTypes,
  secretsOf: (storedType) => {
    const [, type = ''] = storedType.split('.');
    return family.secrets[type] ?? [];
  },
  step: (before, stored) => {
    const read = decodeRecordedEvent(family, stored);
    if (isLeft(read)) return read;
    const { type, recorded } = read.right;
    try {
      const after = evolve(before as State, { type, data: recorded.data } as Event);
      return right({ facts: recorded.event, before, after });
    } catch (error) {
      return poisonEvent(stored, `The state cannot take it: ${error instanceof Error ? error.name : 'it threw'}.`);
    }
  },
});

/** Every aggregate of a context: one that its streams name and that is missing here does not compile. */
export const auditedStreams = <Aggregate extends string>(
  { context, aggregates }: Pick<ContextStreams<Aggregate>, 'context' | 'aggregates'>,
  folds: { readonly [Name in Aggregate]: Folded },
): readonly AuditedAggregate[] =>
  aggregates.map((aggregate) => ({ prefix: `${context}.${aggregate}-`, ...folds[aggregate] }));

/** The streams of a process's instances. */
export const auditedProcess = <State, StateEvent extends DomainEvent, Event extends DomainEvent, Sent extends Send>(
  declared: Process<State, StateEvent, Event, Sent>,
): AuditedAggregate => {
  const process = declared as unknown as AnyProcess;
  return {
    prefix: `${process.context}.${instanceAggregate(process)}-`,
    ...auditedAggregate(instanceFold(process)),
  };
};
