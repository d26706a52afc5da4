/** One alert for each episode, also where a detector begins again from what it knew before. */
import { right } from 'fp-ts/Either';
import type { Instant } from '../../../kernel/codec';
import type { Decider } from '../../../kernel/decider';
import { plusSeconds } from '../../../kernel/instant';
import { episodeSeconds } from '../detector';
import { type Alert, type AlertEvent, alerts } from './events';

export interface RaiseAlert {
  readonly type: 'RaiseAlert';
  readonly alert: Alert;
}

/** Until when the episode of the last alert lasts; null: there was none. */
type AlertState = Instant | null;

export const alert: Decider<RaiseAlert, AlertState, AlertEvent, never> = {
  family: alerts,
  initial: null,
  evolve: (_state, { data: { decidedAt } }) => plusSeconds(decidedAt, episodeSeconds),
  decide: ({ alert: data }, state) =>
    right(state !== null && data.decidedAt < state ? [] : [{ type: 'AlertRaised', data }]),
};
