/** A stream folded to its state, with the last revision read and every command recorded in it. */
import { isLeft } from 'fp-ts/Either';
import { type Decider, fold } from '../../../domain/kernel/decider';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import type { StoredEvent } from '../../ports/event-store';

/** The last event that a command made. */
export interface RecordedCommand {
  readonly hash: string;
  readonly revision: number;
  readonly position: bigint;
}

export interface LoadedAggregate<State> {
  readonly state: State;
  /** -1 before the first event. */
  readonly revision: number;
  /** 0 before the first event. */
  readonly position: bigint;
  readonly commands: ReadonlyMap<string, RecordedCommand>;
}

/** The part of a decider that folding uses. */
export type FoldRules<State, Event extends DomainEvent> = Pick<
  Decider<never, State, Event, never>,
  'family' | 'initial' | 'evolve'
>;

export const emptyAggregate = <State>({ initial }: { readonly initial: State }): LoadedAggregate<State> => ({
  state: initial,
  revision: -1,
  position: 0n,
  commands: new Map(),
});

/** An unreadable event is a defect: a decision without it could contradict it. */
const decoded = <Event extends DomainEvent>(family: Family<Event>, stored: StoredEvent): Event => {
  const event = family.decode(stored.type, stored.data);
  if (isLeft(event))
    throw new Error(`${stored.stream} cannot be decoded at revision ${stored.revision} (${stored.type})`);
  return event.right;
};

const textIn = (metadata: unknown, name: string): string => {
  const value = typeof metadata === 'object' && metadata !== null ? Reflect.get(metadata, name) : undefined;
  return typeof value === 'string' ? value : '';
};

interface CommandMark {
  readonly commandId: string;
  readonly recorded: RecordedCommand;
}

/** Applies the events that follow the known state, in order, with a mark for the last at least. */
export const applyEvents = <State, Event extends DomainEvent>(
  rules: FoldRules<State, Event>,
  known: LoadedAggregate<State>,
  { events, marks }: { readonly events: readonly Event[]; readonly marks: readonly CommandMark[] },
): LoadedAggregate<State> => {
  const last = marks.at(-1)?.recorded;
  if (last === undefined) return known;
  // Grown in place: a copy per command would make long streams slow, and a recorded command stays recorded.
  const commands = known.commands as Map<string, RecordedCommand>;
  for (const { commandId, recorded } of marks) commands.set(commandId, recorded);
  return { state: fold(rules, known.state, events), revision: last.revision, position: last.position, commands };
};

const markOf = ({ metadata, revision, position }: StoredEvent): CommandMark => ({
  commandId: textIn(metadata, 'commandId'),
  recorded: { hash: textIn(metadata, 'commandHash'), revision, position },
});

export const applyStoredEvents = <State, Event extends DomainEvent>(
  rules: FoldRules<State, Event>,
  known: LoadedAggregate<State>,
  tail: readonly StoredEvent[],
): LoadedAggregate<State> => {
  const events = tail.map((stored) => decoded(rules.family, stored));
  return applyEvents(rules, known, { events, marks: tail.map(markOf) });
};
