/** A source is open to every writer of places, until it is reserved for some. */
import { right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type SourceEvent, sources } from './events';

export interface SetSourceWriters {
  readonly type: 'SetSourceWriters';
  readonly source: string;
  /** None: open. */
  readonly writers: readonly PrincipalId[];
}

export type SourceState =
  | { readonly kind: 'open' }
  | { readonly kind: 'reserved'; readonly writers: readonly PrincipalId[] };

const isSameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((writer, index) => writer === other[index]);

export const source: Decider<SetSourceWriters, SourceState, SourceEvent, never> = {
  family: sources,
  initial: { kind: 'open' },
  evolve: (_, event) =>
    event.type === 'SourceReserved' ? { kind: 'reserved', writers: event.data.writers } : { kind: 'open' },
  decide: ({ source: name, writers }, state) => {
    const sorted = [...new Set(writers)].sort();
    if (sorted.length === 0)
      return right(state.kind === 'open' ? [] : [{ type: 'SourceOpened', data: { source: name } }]);
    if (state.kind === 'reserved' && isSameList(state.writers, sorted)) return right([]);
    return right([{ type: 'SourceReserved', data: { source: name, writers: sorted } }]);
  },
};

export const mayWrite = (state: SourceState, principalId: string): boolean =>
  state.kind === 'open' || state.writers.some((writer) => writer === principalId);
