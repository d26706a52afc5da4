/** Decider of a process instance. Its stream holds state events, a mark for each handled event, and refusals. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../../domain/kernel/decider';
import type { DomainEvent, Family } from '../../../domain/kernel/family';
import type { Process, Send, TriggerEvent } from '../../../domain/kernel/process';
import { type CommandRefused, processEvents } from '../../../domain/kernel/process-events';

/** The runner treats all processes alike. */
export type AnyProcess = Process<unknown, DomainEvent, DomainEvent, Send>;

export type InstanceCommand =
  | { readonly type: 'React'; readonly happened: TriggerEvent }
  | { readonly type: 'RecordRefusal'; readonly refused: CommandRefused };

export type Instance = Decider<InstanceCommand, unknown, DomainEvent, never>;

const isKernels = ({ type }: DomainEvent): boolean => type in processEvents.codecs;

/** One family of the process's state events and the kernel's own events, distinguished by their names. */
const withKernelEvents = (own: Family<DomainEvent>): Family<DomainEvent> => {
  const kernel = processEvents as unknown as Family<DomainEvent>;
  const conflicting = Object.keys(own.codecs).find((type) => type in kernel.codecs);
  if (conflicting !== undefined || own.context === kernel.context)
    throw new Error(`a process of ${own.context} uses a name of the kernel's own`);
  return {
    ...own,
    storedTypes: [...own.storedTypes, ...kernel.storedTypes],
    codecs: { ...own.codecs, ...kernel.codecs },
    encode: (event) => (isKernels(event) ? kernel : own).encode(event),
    decode: (storedType, data) => (storedType.startsWith(`${kernel.context}.`) ? kernel : own).decode(storedType, data),
  };
};

/** JSON as it will be read back: what JSON drops must not make a difference between the first time and a repetition. */
const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;

const reacted = (process: AnyProcess, state: unknown, happened: TriggerEvent): readonly DomainEvent[] => {
  const { stateEvents = [], actions = [] } = process.react(state, happened);
  const { id: eventId, event } = happened;
  return [...stateEvents, { type: 'Reacted', data: { eventId, eventType: event.type, actions: plain(actions) } }];
};

export const instanceOf = (process: AnyProcess): Instance => ({
  family: withKernelEvents(process.stateEvents),
  initial: process.initial,
  evolve: (state, event) => (isKernels(event) ? state : process.evolve(state, event)),
  decide: (command, state) =>
    right(
      command.type === 'React'
        ? reacted(process, state, command.happened)
        : [{ type: 'CommandRefused', data: command.refused }],
    ),
});
