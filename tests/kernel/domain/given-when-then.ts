/** Rules as sentences: `given(upload, started).when(complete).then(completed)`. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { type Decider, fold } from '../../../domain/kernel/decider';
import type { DomainEvent } from '../../../domain/kernel/family';

interface Outcome<Event, Code> {
  readonly then: (...events: readonly [Event, ...Event[]]) => void;
  readonly thenNothing: () => void;
  readonly rejects: (code: Code) => void;
}

export const given = <Command, State, Event extends DomainEvent, Code extends string>(
  decider: Decider<Command, State, Event, Code>,
  ...history: readonly Event[]
): { readonly when: (command: Command) => Outcome<Event, Code> } => ({
  when: (command) => {
    const decision = decider.decide(command, fold(decider, decider.initial, history));
    const decidesOn = (events: readonly Event[]): void => {
      assert.ok(isRight(decision), `refused: ${JSON.stringify(decision)}`);
      assert.deepEqual(decision.right, events);
    };
    return {
      // biome-ignore lint/suspicious/noThenProperty: it is never awaited, and a rule reads given, when, then.
      then: (...events) => decidesOn(events),
      thenNothing: () => decidesOn([]),
      rejects: (code) => {
        assert.ok(isLeft(decision), `not refused: ${JSON.stringify(decision)}`);
        assert.equal(decision.left.code, code);
      },
    };
  },
});
