/** What is known of a stream: its state, how far it was read, and every command that made something of it. */
import { isLeft } from 'fp-ts/Either';
import { type Decider, fold } from '../../domain/kernel/decider';
import type { DomainEvent, Family } from '../../domain/kernel/family';
import type { StoredEvent } from '../../infra/ports/event-store';

/** The last event that a command made. */
export interface Recorded {
  readonly hash: string;
  readonly revision: number;
  readonly position: bigint;
}

export interface Loaded<State> {
  readonly state: State;
  /** -1 before the first event. */
  readonly revision: number;
  /** 0 before the first event. */
  readonly position: bigint;
  readonly commands: ReadonlyMap<string, Recorded>;
}

/** What loading needs of a decider. */
type Rules<State, Event extends DomainEvent> = Pick<
  Decider<never, State, Event, never>,
  'family' | 'initial' | 'evolve'
>;

export const nothingLoaded = <State>({ initial }: { readonly initial: State }): Loaded<State> => ({
  state: initial,
  revision: -1,
  position: 0n,
  commands: new Map(),
});

/** A fact that cannot be read is a defect: a decision made without it could contradict it. */
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

/** One command's last event. */
type Mark = readonly [commandId: string, recorded: Recorded];

/** Goes on by events that follow what is known, in order, with a mark for the last at least. */
export const advanced = <State, Event extends DomainEvent>(
  rules: Rules<State, Event>,
  known: Loaded<State>,
  { events, marks }: { readonly events: readonly Event[]; readonly marks: readonly Mark[] },
): Loaded<State> => {
  const [, last] = marks.at(-1) ?? [];
  if (last === undefined) return known;
  // Grown in place: a copy per command would make long streams slow, and a recorded command stays recorded.
  const commands = known.commands as Map<string, Recorded>;
  for (const [commandId, recorded] of marks) commands.set(commandId, recorded);
  return { state: fold(rules, known.state, events), revision: last.revision, position: last.position, commands };
};

const markOf = ({ metadata, revision, position }: StoredEvent): Mark => [
  textIn(metadata, 'commandId'),
  { hash: textIn(metadata, 'commandHash'), revision, position },
];

export const extended = <State, Event extends DomainEvent>(
  rules: Rules<State, Event>,
  known: Loaded<State>,
  tail: readonly StoredEvent[],
): Loaded<State> => {
  const events = tail.map((stored) => decoded(rules.family, stored));
  return advanced(rules, known, { events, marks: tail.map(markOf) });
};
