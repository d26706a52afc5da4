/** One's own edits that are committed, the newest: where the log is put back to an earlier time they are what it lacks. */
import type { ClientId } from '../../../domain/editor/ids';
import type { Operation } from '../../../domain/editor/operation';
import type { Change } from './ports/store';
import { type Pending, pendingAgain } from './scene/pending';

export interface Acknowledged {
  /** In the order in which they were committed. */
  items: Pending[];
  bytes: number;
}

const most = { operations: 1_000, bytes: 2_000_000 };

const weightOf = (items: readonly Pending[]): number => items.reduce((sum, { bytes }) => sum + bytes, 0);

export const acknowledgedAgain = (
  kept: readonly { readonly clientId: ClientId; readonly operation: Operation }[],
): Acknowledged => {
  const items = kept.map(({ clientId, operation }) => pendingAgain(clientId, operation));
  return { items, bytes: weightOf(items) };
};

const keyOf = ({ clientId, operation: { clientSeq } }: Pending) => ({ clientId, clientSeq });

/** What is to be kept of it from now on, and what no more. */
export const acknowledge = (
  acknowledged: Acknowledged,
  items: readonly Pending[],
): Pick<Change, 'acknowledged' | 'released'> => {
  const all = [...acknowledged.items, ...items];
  let bytes = acknowledged.bytes + weightOf(items);
  let gone = 0;
  while (all.length - gone > most.operations || bytes > most.bytes) {
    bytes -= all[gone]?.bytes ?? 0;
    gone += 1;
  }
  Object.assign(acknowledged, { items: all.slice(gone), bytes });
  return {
    acknowledged: items.map(({ clientId, operation }) => ({ clientId, operation })),
    released: all.slice(0, gone).map(keyOf),
  };
};

/** Those of a client above a number; they are no longer among the others. */
export const takeAbove = (
  acknowledged: Acknowledged,
  clientId: ClientId,
  clientSeq: number,
): { readonly taken: readonly Pending[]; readonly change: Pick<Change, 'released'> } => {
  const isAbove = (item: Pending): boolean => item.clientId === clientId && item.operation.clientSeq > clientSeq;
  const taken = acknowledged.items.filter(isAbove);
  const items = acknowledged.items.filter((item) => !isAbove(item));
  Object.assign(acknowledged, { items, bytes: weightOf(items) });
  return { taken, change: { released: taken.map(keyOf) } };
};
