/** One moment of a log: what a node writes meanwhile is not seen. */
import { openTablesToRead, type TablesToRead } from '../../storage/database';
import { isRemovedSealed, type Marks, type Removed, removedIn } from '../../storage/marks';
import { Damage } from './damage';

type Table = TablesToRead['log'];
type Range = Parameters<Table['getRange']>[0];
type Entry = { readonly key: Buffer; readonly value: Buffer };

export interface Snapshot {
  readonly log: Table;
  readonly events: Table;
  readonly streams: Table;
  readonly removed: Removed;
  readonly get: (table: Table, key: Buffer) => Buffer | undefined;
  readonly range: (table: Table, range: NonNullable<Range>) => Iterable<Entry>;
  readonly close: () => Promise<void>;
}

const isRemoved = (removed: unknown): boolean =>
  typeof removed === 'object' &&
  ['position', 'events', 'bytes'].every((name) => Number.isSafeInteger((removed as Record<string, unknown>)[name]));

const removedBy = (marks: Marks | undefined): Removed => {
  try {
    const removed = removedIn({ marks });
    if (isRemoved(removed) && isRemovedSealed({ marks })) return removed;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new Damage({ table: 'marks' }, 'what scavenges removed cannot be read');
};

/** Undefined when there is no log in the directory. */
export const takeSnapshot = (directory: string): Snapshot | undefined => {
  const tables = openTablesToRead(directory);
  if (tables === undefined) return undefined;
  const { root, log, events, streams, marks } = tables;
  const transaction = root.useReadTransaction();
  return {
    log,
    events,
    streams,
    removed: removedBy(marks && { get: (key) => marks.get(key, { transaction }) }),
    get: (table, key) => table.get(key, { transaction }),
    range: (table, range) => table.getRange({ ...range, transaction }),
    close: async () => {
      transaction.done();
      await root.close();
    },
  };
};

/** How many records there are about, for whoever waits. */
export const countOf = (table: Table): number =>
  Number((table.getStats() as { readonly entryCount?: number }).entryCount ?? 0);
