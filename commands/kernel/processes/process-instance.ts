/** Decider of a process instance. Its stream holds state events, a mark for each handled event, and refusals. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../../domain/kernel/decider';
import type { DomainEvent } from '../../../domain/kernel/family';
import type { TriggerEvent } from '../../../domain/kernel/process';
import type { CommandRefused } from '../../../domain/kernel/process-events';
import { type AnyProcess, instanceFold } from '../../../domain/kernel/process-instance';

export type InstanceCommand =
  | { readonly type: 'React'; readonly happened: TriggerEvent }
  | { readonly type: 'RecordRefusal'; readonly refused: CommandRefused };

export type Instance = Decider<InstanceCommand, unknown, DomainEvent, never>;

/** JSON as it will be read back: what JSON drops must not make a difference between the first time and a repetition. */
const plain = <A>(value: A): A => JSON.parse(JSON.stringify(value)) as A;

const reacted = (process: AnyProcess, state: unknown, happened: TriggerEvent): readonly DomainEvent[] => {
  const { stateEvents = [], actions = [] } = process.react(state, happened);
  const { id: eventId, event } = happened;
  return [...stateEvents, { type: 'Reacted', data: { eventId, eventType: event.type, actions: plain(actions) } }];
};

export const instanceOf = (process: AnyProcess): Instance => ({
  ...instanceFold(process),
  decide: (command, state) =>
    right(
      command.type === 'React'
        ? reacted(process, state, command.happened)
        : [{ type: 'CommandRefused', data: command.refused }],
    ),
});
