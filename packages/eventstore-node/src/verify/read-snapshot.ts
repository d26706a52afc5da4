/** Opens a snapshot of a log, which does not change while a node writes. */
import { openReadOnlyTables, type ReadOnlyTables } from '../storage/lmdb-tables';
import {
  hasValidRemovedEvents,
  type RemovedEvents,
  readRemovedEvents,
  type ScavengeTable,
} from '../storage/scavenge-state';
import { CorruptionError } from './corruption-error';

type Table = ReadOnlyTables['log'];
type Range = Parameters<Table['getRange']>[0];
type Entry = { readonly key: Buffer; readonly value: Buffer };

export interface Snapshot {
  readonly log: Table;
  readonly events: Table;
  readonly streams: Table;
  readonly removed: RemovedEvents;
  readonly get: (table: Table, key: Buffer) => Buffer | undefined;
  readonly range: (table: Table, range: NonNullable<Range>) => Iterable<Entry>;
  readonly close: () => Promise<void>;
}

const isRemovedEvents = (removed: unknown): boolean =>
  typeof removed === 'object' &&
  ['position', 'events', 'bytes'].every((name) => Number.isSafeInteger((removed as Record<string, unknown>)[name]));

const readRemoved = (marks: ScavengeTable | undefined): RemovedEvents => {
  try {
    const removed = readRemovedEvents({ marks });
    if (isRemovedEvents(removed) && hasValidRemovedEvents({ marks })) return removed;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CorruptionError({ table: 'marks' }, 'what scavenges removed cannot be read');
};

/** Undefined when there is no log in the directory. Whatever it throws, the log is closed. */
export const openSnapshot = async (directory: string): Promise<Snapshot | undefined> => {
  const tables = openReadOnlyTables(directory);
  if (tables === undefined) return undefined;
  const { root, log, events, streams, marks } = tables;
  const transaction = root.useReadTransaction();
  const close = async (): Promise<void> => {
    transaction.done();
    await root.close();
  };
  try {
    return {
      log,
      events,
      streams,
      removed: readRemoved(marks && { get: (key) => marks.get(key, { transaction }) }),
      get: (table, key) => table.get(key, { transaction }),
      range: (table, range) => table.getRange({ ...range, transaction }),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The approximate number of records, for progress. */
export const estimateCount = (table: Table): number =>
  Number((table.getStats() as { readonly entryCount?: number }).entryCount ?? 0);
