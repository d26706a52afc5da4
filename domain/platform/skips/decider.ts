/** Skips: single events that an operator takes out of a view. A repeated skip records nothing. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type SkipEvent, skips } from './events';
import { evolve, isOut, nothingSkipped, type Skip, type Skipped } from './state';

export { isOut, type Skip, type Skipped } from './state';

type Withdrawal = Extract<SkipEvent, { type: 'SkipWithdrawn' }>['data'];

export type SkipCommand =
  | { readonly type: 'Skip'; readonly skip: Skip }
  | { readonly type: 'Withdraw'; readonly withdrawal: Withdrawal };

export const skipDecider: Decider<SkipCommand, Skipped, SkipEvent, never> = {
  family: skips,
  initial: nothingSkipped,
  evolve,
  decide: (command, skipped) => {
    if (command.type === 'Skip')
      return right(isOut(skipped, command.skip) ? [] : [{ type: 'EventSkipped', data: command.skip }]);
    const { withdrawal: data } = command;
    return right(isOut(skipped, data) ? [{ type: 'SkipWithdrawn', data }] : []);
  },
};
