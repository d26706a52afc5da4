/** Events that the kernel records in the stream of a process's instance, beside the process's own state events. */
import * as t from 'io-ts';
import { Instant, integer, record, text } from './codec';
import { family } from './family';

const Key = text('Key', { maxLength: 256 });

const Sending = record('Sending', {
  kind: t.literal('send'),
  to: text('Category', { maxLength: 128, pattern: '[a-z]+\\.[A-Za-z]+' }),
  id: text('AggregateId', { maxLength: 256 }),
  command: t.UnknownRecord,
});

const Scheduling = record('Scheduling', { kind: t.literal('schedule'), key: Key, at: Instant, send: Sending });
const Cancelling = record('Cancelling', { kind: t.literal('cancel'), key: Key });
const Working = record(
  'Working',
  { kind: t.literal('work'), queue: Key, payload: t.unknown },
  {
    jobKind: Key,
    priority: integer(-1_000, 1_000),
    delaySeconds: integer(0),
    notBefore: Instant,
    deadline: Instant,
    mostAttempts: integer(1, 100),
  },
);

export const RecordedAction = t.union([Sending, Scheduling, Cancelling, Working], 'Action');
export type RecordedAction = t.TypeOf<typeof RecordedAction>;

const EventId = text('EventId', { maxLength: 64 });

export const processEvents = family('process', {
  /** The event was taken, and this is what is to be done about it: decided once, done as often as it takes. */
  Reacted: {
    v: 1,
    data: {
      eventId: EventId,
      eventType: text('EventType', { maxLength: 256 }),
      actions: t.readonlyArray(RecordedAction),
    },
  },
  /** The decider rejected the command; it is not retried. */
  CommandRefused: {
    v: 1,
    data: {
      eventId: EventId,
      commandId: text('CommandId', { maxLength: 64 }),
      to: text('Category', { maxLength: 128 }),
      id: text('AggregateId', { maxLength: 256 }),
      code: text('Code', { maxLength: 128 }),
      detail: text('Detail', { maxLength: 2_000, minLength: 0 }),
    },
  },
});
export type ProcessEvent = typeof processEvents.Event;
export type CommandRefused = Extract<ProcessEvent, { type: 'CommandRefused' }>['data'];
