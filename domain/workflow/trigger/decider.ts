/** An event of a repository is received once, however often it is delivered. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type TriggerEvent, triggers } from './events';

export type ReceivedTrigger = Extract<TriggerEvent, { type: 'TriggerReceived' }>['data'];
export type TriggerCommand = { readonly type: 'ReceiveTrigger' } & ReceivedTrigger;
export type TriggerState =
  | { readonly kind: 'none' }
  /** `isAccepted`: some definition matches it. */
  | { readonly kind: 'received'; readonly isAccepted: boolean };

export const trigger: Decider<TriggerCommand, TriggerState, TriggerEvent, never> = {
  family: triggers,
  initial: { kind: 'none' },
  evolve: (_state, { data }) => ({ kind: 'received', isAccepted: data.definitions.length > 0 }),
  decide: ({ type: _, ...data }, state) => right(state.kind === 'none' ? [{ type: 'TriggerReceived', data }] : []),
};
