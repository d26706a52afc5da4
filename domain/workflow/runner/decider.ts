/** Rules of runners: registered once, drained, removed. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type Rejection, reject } from '../../kernel/rejection';
import type { RunnerId } from '../ids';
import { type RunnerEvent, runners } from './events';

export type Registration = Extract<RunnerEvent, { type: 'RunnerRegistered' }>['data'];

export type RunnerCommand =
  | { readonly type: 'RegisterRunner'; readonly registration: Registration }
  | { readonly type: 'DrainRunner' | 'RemoveRunner'; readonly runnerId: RunnerId };

export type RunnerState =
  | { readonly kind: 'none' }
  | { readonly kind: 'active' | 'draining' | 'removed'; readonly registration: Registration };

/** `registration-used`: the token was used before; its runner has another credential. */
export type RunnerRejection = 'runner-unknown' | 'registration-used';

type Decision = Either<Rejection<RunnerRejection>, readonly RunnerEvent[]>;

const decide = (command: RunnerCommand, state: RunnerState): Decision => {
  if (command.type === 'RegisterRunner') {
    if (state.kind === 'none') return right([{ type: 'RunnerRegistered', data: command.registration }]);
    return reject('registration-used', 'The registration token was used before.');
  }
  const { runnerId } = command;
  if (state.kind === 'none') return reject('runner-unknown', 'There is no such runner.');
  if (state.kind === 'removed') return right([]);
  if (command.type === 'RemoveRunner') return right([{ type: 'RunnerRemoved', data: { runnerId } }]);
  return right(state.kind === 'draining' ? [] : [{ type: 'RunnerDrained', data: { runnerId } }]);
};

const evolve = (state: RunnerState, event: RunnerEvent): RunnerState => {
  switch (event.type) {
    case 'RunnerRegistered':
      return { kind: 'active', registration: event.data };
    case 'RunnerDrained':
      return state.kind === 'active' ? { ...state, kind: 'draining' } : state;
    case 'RunnerRemoved':
      return state.kind === 'none' ? state : { ...state, kind: 'removed' };
  }
};

export const runner: Decider<RunnerCommand, RunnerState, RunnerEvent, RunnerRejection> = {
  family: runners,
  initial: { kind: 'none' },
  evolve,
  decide,
};
