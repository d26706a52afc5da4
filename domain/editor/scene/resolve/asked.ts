/** What `setProperties` asks of each node. */
import { NodeId } from '../../ids';
import { limits } from '../../limits';
import type { Operation } from '../../operation';
import { type Change, isEmpty, readChange } from '../properties';
import { isRecord, type JsonRecord, type ValueFault } from '../values';
import { written } from '../written';

export interface Asked {
  /** For all targets alike. */
  readonly shared: Change;
  readonly own: ReadonlyMap<NodeId, Change>;
}

const readOwn = (nodes: unknown): ReadonlyMap<NodeId, Change> | ValueFault => {
  if (nodes === undefined) return new Map();
  if (!isRecord(nodes)) return 'malformed';
  const own = new Map<NodeId, Change>();
  for (const [id, asked] of Object.entries(nodes)) {
    const change = readChange(asked);
    if (typeof change === 'string') return change;
    if (!NodeId.is(id)) return 'malformed';
    own.set(id, change);
  }
  return own;
};

export const readAsked = ({ payload }: Operation): Asked | ValueFault => {
  if (!isRecord(payload)) return 'malformed';
  const shared = readChange(payload);
  if (typeof shared === 'string') return shared;
  const own = readOwn(payload.nodes);
  if (typeof own === 'string') return own;
  return own.size > limits.targets ? 'too-large' : { shared, own };
};

/** What all are asked first, then what is asked of the one. */
const both = (shared: Change, own: Change): Change => ({
  set: { ...written(shared.set, { unset: own.unset }), ...own.set },
  unset: [...shared.unset, ...own.unset],
});

export const changesOf = ({ targetIds }: Operation, { shared, own }: Asked): ReadonlyMap<NodeId, Change> => {
  if (isEmpty(shared)) return own;
  const changes = new Map<NodeId, Change>(targetIds.map((id) => [id, shared]));
  for (const [id, change] of own) changes.set(id, changes.has(id) ? both(shared, change) : change);
  return changes;
};

export const compact = ({ set, unset }: Change): JsonRecord => ({
  ...(Object.keys(set).length === 0 ? {} : { set }),
  ...(unset.length === 0 ? {} : { unset }),
});
