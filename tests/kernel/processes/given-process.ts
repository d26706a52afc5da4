/** A process's rules as sentences: `givenProcess(remind, counted).when(placed).answers(schedule(…))`. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { decodeStored, type Instant } from '../../../domain/kernel/codec';
import { fold } from '../../../domain/kernel/decider';
import type { DomainEvent } from '../../../domain/kernel/family';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Action, Process, Send, TriggerEvent } from '../../../domain/kernel/process';
import { RecordedAction } from '../../../domain/kernel/process-events';

interface Answered<StateEvent, Sent extends Send> {
  readonly answers: (...actions: readonly Action<Sent>[]) => Answered<StateEvent, Sent>;
  readonly records: (...stateEvents: readonly [StateEvent, ...StateEvent[]]) => Answered<StateEvent, Sent>;
  readonly does: (nothing: 'nothing') => void;
}

interface GivenProcess<StateEvent, Event extends DomainEvent, Sent extends Send> {
  readonly when: (event: Event, changes?: Partial<TriggerEvent<Event>>) => Answered<StateEvent, Sent>;
  /** The event concerns no instance. */
  readonly ignores: (event: Event) => void;
}

/** An event as a process receives it, for tests. */
const happened = <Event extends DomainEvent>(
  event: Event,
  changes: Partial<TriggerEvent<Event>> = {},
): TriggerEvent<Event> => ({
  id: 'e-1',
  event,
  tenant: 'acme' as TenantId,
  entityId: 'x-1',
  at: '2026-01-31T12:00:00.000Z' as Instant,
  isSelfCaused: false,
  ...changes,
});

/** What cannot be read back would stop the process at run time. */
const assertRecordable = (action: Action): void => {
  const recorded: unknown = JSON.parse(JSON.stringify(action));
  const decoded = decodeStored(RecordedAction, recorded);
  assert.ok(isRight(decoded), `The action cannot be recorded: ${JSON.stringify(decoded)}`);
};

export const givenProcess = <State, StateEvent extends DomainEvent, Event extends DomainEvent, Sent extends Send>(
  process: Process<State, StateEvent, Event, Sent>,
  ...earlier: readonly StateEvent[]
): GivenProcess<StateEvent, Event, Sent> => ({
  when: (event, changes = {}) => {
    const arriving = happened(event, changes);
    assert.notEqual(process.key(arriving), undefined, 'The event concerns no instance.');
    const { stateEvents = [], actions = [] } = process.react(fold(process, process.initial, earlier), arriving);
    for (const action of actions) assertRecordable(action);
    const answered: Answered<StateEvent, Sent> = {
      answers: (...expected) => {
        assert.deepEqual(actions, expected);
        return answered;
      },
      records: (...expected) => {
        assert.deepEqual(stateEvents, expected);
        return answered;
      },
      does: () => assert.deepEqual([stateEvents, actions], [[], []]),
    };
    return answered;
  },
  ignores: (event) => assert.equal(process.key(happened(event)), undefined),
});
