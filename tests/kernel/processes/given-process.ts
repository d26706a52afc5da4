/** A process's rules as sentences: `givenProcess(remind, noted).when(placed).answers(schedule(…))`. */
import assert from 'node:assert/strict';
import type { Instant } from '../../../domain/kernel/codec';
import { fold } from '../../../domain/kernel/decider';
import type { DomainEvent } from '../../../domain/kernel/family';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Action, Process, Send, TriggerEvent } from '../../../domain/kernel/process';

interface Answered<Note, Sent extends Send> {
  readonly answers: (...actions: readonly [Action<Sent>, ...Action<Sent>[]]) => Answered<Note, Sent>;
  readonly notes: (...notes: readonly [Note, ...Note[]]) => Answered<Note, Sent>;
  readonly does: (nothing: 'nothing') => void;
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

export const givenProcess = <State, Note extends DomainEvent, Event extends DomainEvent, Sent extends Send>(
  process: Process<State, Note, Event, Sent>,
  ...noted: readonly Note[]
) => ({
  when: (event: Event, changes: Partial<TriggerEvent<Event>> = {}): Answered<Note, Sent> => {
    const arriving = happened(event, changes);
    assert.notEqual(process.key(arriving), undefined, 'The event concerns no instance.');
    const { stateEvents: notes = [], actions = [] } = process.react(fold(process, process.initial, noted), arriving);
    const answered: Answered<Note, Sent> = {
      answers: (...expected) => {
        assert.deepEqual(actions, expected);
        return answered;
      },
      notes: (...expected) => {
        assert.deepEqual(notes, expected);
        return answered;
      },
      does: () => assert.deepEqual([notes, actions], [[], []]),
    };
    return answered;
  },
  ignores: (event: Event): void => assert.equal(process.key(happened(event)), undefined),
});
