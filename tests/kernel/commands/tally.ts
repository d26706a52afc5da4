/** A small aggregate for the kernel's own tests: it counts what is added, until it is closed. */
import { type Either, right } from 'fp-ts/Either';
import { finite, text } from '../../../domain/kernel/codec';
import type { Decider } from '../../../domain/kernel/decider';
import { aggregate } from '../../../domain/kernel/family';
import { type Rejection, reject } from '../../../domain/kernel/rejection';

const Word = text('Word', { maxLength: 20 });

export const tallies = aggregate(
  { context: 'sample', name: 'tally' },
  {
    Added: {
      v: 3,
      data: { amount: finite, by: Word, unit: Word },
      from: {
        1: (old: { count: number }) => ({ amount: old.count, by: 'nobody' }),
        2: (old: { amount: number; by: string }) => ({ ...old, unit: 'piece' }),
      },
    },
    Closed: { v: 1, data: { why: text('Why', { maxLength: 600_000 }) } },
  },
);
export type TallyEvent = typeof tallies.Event;

export type TallyCommand =
  | { readonly type: 'Add'; readonly amount: number }
  | { readonly type: 'AddMany'; readonly times: number; readonly by?: string }
  | { readonly type: 'Close'; readonly why: string };

export interface TallyState {
  readonly total: number;
  readonly closed: boolean;
}

export const added = (amount: number, by = 'me'): TallyEvent => ({
  type: 'Added',
  data: { amount, by, unit: 'piece' },
});
export const closed: TallyEvent = { type: 'Closed', data: { why: 'done' } };
export const add = (amount: number): TallyCommand => ({ type: 'Add', amount });
export const close: TallyCommand = { type: 'Close', why: 'done' };

const decide = (command: TallyCommand, state: TallyState): Either<Rejection<'tally-closed'>, readonly TallyEvent[]> => {
  if (command.type === 'Close') return right(state.closed ? [] : [{ type: 'Closed', data: { why: command.why } }]);
  if (state.closed) return reject('tally-closed', 'The tally is closed.');
  if (command.type === 'Add') return right([added(command.amount)]);
  return right(Array.from({ length: command.times }, () => added(1, command.by)));
};

export const tally: Decider<TallyCommand, TallyState, TallyEvent, 'tally-closed'> = {
  family: tallies,
  initial: { total: 0, closed: false },
  evolve: (state, event) =>
    event.type === 'Closed' ? { ...state, closed: true } : { ...state, total: state.total + event.data.amount },
  decide,
};
