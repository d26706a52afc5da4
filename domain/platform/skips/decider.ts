/** Skips are facts about names: said twice, they hold once. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import { type SkipEvent, skips } from './events';

export type Skip = Extract<SkipEvent, { type: 'EventSkipped' }>['data'];
type Withdrawal = Extract<SkipEvent, { type: 'SkipWithdrawn' }>['data'];

export type SkipCommand =
  | { readonly type: 'Skip'; readonly skip: Skip }
  | { readonly type: 'Withdraw'; readonly withdrawal: Withdrawal };

type Named = Pick<Skip, 'view' | 'stream' | 'streamRevision'>;

/** What is out, by name. */
export type Skipped = ReadonlyMap<string, Skip>;

const keyOf = ({ view, stream, streamRevision }: Named): string => JSON.stringify([view, stream, streamRevision]);

export const isOut = (skipped: Skipped, named: Named): boolean => skipped.has(keyOf(named));

const evolve = (skipped: Skipped, { type, data }: SkipEvent): Skipped => {
  const next = new Map(skipped);
  if (type === 'EventSkipped') next.set(keyOf(data), data);
  else next.delete(keyOf(data));
  return next;
};

export const skipDecider: Decider<SkipCommand, Skipped, SkipEvent, never> = {
  family: skips,
  initial: new Map(),
  evolve,
  decide: (command, skipped) => {
    if (command.type === 'Skip')
      return right(isOut(skipped, command.skip) ? [] : [{ type: 'EventSkipped', data: command.skip }]);
    const { withdrawal: data } = command;
    return right(isOut(skipped, data) ? [{ type: 'SkipWithdrawn', data }] : []);
  },
};
