/** Runs of a definition are numbered in the order in which their events are received: the number of an event stays. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import type { DefinitionId, TriggerEventId } from '../ids';
import { type DefinitionEvent, definitions } from './events';

export interface DefinitionCommand {
  readonly type: 'NumberRun';
  readonly workflowDefinitionId: DefinitionId;
  readonly triggerEventId: TriggerEventId;
}

/** The last ones: an event is delivered again soon, or has its number in its own stream. */
const mostRemembered = 100;

export interface DefinitionState {
  readonly last: number;
  /** Oldest first. */
  readonly numbers: readonly (readonly [TriggerEventId, number])[];
}

export const numberOf = ({ numbers }: DefinitionState, eventId: TriggerEventId): number | undefined =>
  numbers.find(([id]) => id === eventId)?.[1];

export const definition: Decider<DefinitionCommand, DefinitionState, DefinitionEvent, never> = {
  family: definitions,
  initial: { last: 0, numbers: [] },
  evolve: ({ numbers }, { data: { triggerEventId, runNumber } }) => ({
    last: runNumber,
    numbers: [...numbers.slice(1 - mostRemembered), [triggerEventId, runNumber]],
  }),
  decide: ({ workflowDefinitionId, triggerEventId }, state) =>
    right(
      numberOf(state, triggerEventId) === undefined
        ? [{ type: 'RunNumbered', data: { workflowDefinitionId, triggerEventId, runNumber: state.last + 1 } }]
        : [],
    ),
};
