/**
 * Checks the index of events in order: each stream's revisions are complete, and it has as many entries as the log has
 * records.
 */
import { eventKey, numberOf } from '../storage/lmdb-tables';
import { truncateAll } from '../storage/streams/stream-metadata';
import { type LogTotals, type Progress, stepsBetweenProgress } from './check-log';
import { CorruptionError } from './corruption-error';
import type { Snapshot } from './read-snapshot';

const tombstone = 0xffffffffffffffffn;

interface IndexEntry {
  readonly streamNumber: number;
  readonly revision: number;
}

const parseIndexEntry = (key: Buffer, value: Buffer, before: IndexEntry | undefined): IndexEntry => {
  if (key.length !== 16 || value.length !== 8)
    throw new CorruptionError({ table: 'events', ...before }, 'an entry follows that is none');
  const revision = key.readBigUInt64BE(8);
  return {
    streamNumber: numberOf(key),
    revision: revision === tombstone ? Number.POSITIVE_INFINITY : Number(revision),
  };
};

const checkOrder = (before: IndexEntry | undefined, entry: IndexEntry): void => {
  if (before === undefined || entry.streamNumber > before.streamNumber) return;
  const follows = entry.revision === before.revision + 1 || entry.revision === Number.POSITIVE_INFINITY;
  if (entry.streamNumber < before.streamNumber || !follows || before.revision === Number.POSITIVE_INFINITY)
    throw new CorruptionError(
      { table: 'events', ...entry },
      `it follows revision ${before.revision} of ${before.streamNumber}`,
    );
};

/** Finds the newest event as a node does: from the highest revision. */
export const findNewestEvent = (
  { events, range }: Snapshot,
  number: number,
): { revision: number; position: Buffer } | undefined => {
  const from = { start: eventKey(number, truncateAll), end: eventKey(number - 1, Number.POSITIVE_INFINITY) };
  for (const { key, value } of range(events, { ...from, reverse: true, limit: 1 }))
    if (key.length === 16 && numberOf(key) === number) return { revision: numberOf(key, 8), position: value };
  return undefined;
};

const checkNewest = (snapshot: Snapshot, last: IndexEntry | undefined): void => {
  if (last === undefined || last.revision === Number.POSITIVE_INFINITY) return;
  const found = findNewestEvent(snapshot, last.streamNumber)?.revision;
  if (found !== last.revision)
    throw new CorruptionError(
      { table: 'events', ...last },
      `the stream's newest event is not found, but ${found ?? 'none'}`,
    );
};

/** Finds the entry without a record, when there are more entries than records. */
const checkEntriesLeadToRecords = (snapshot: Snapshot): void => {
  for (const { key, value } of snapshot.range(snapshot.events, { start: Buffer.alloc(1) }))
    if (snapshot.get(snapshot.log, value) === undefined)
      throw new CorruptionError(
        { table: 'events', ...parseIndexEntry(key, value, undefined), position: numberOf(value) },
        'no record is there',
      );
};

export const checkIndex = async (snapshot: Snapshot, log: LogTotals, progress: Progress): Promise<void> => {
  let before: IndexEntry | undefined;
  let [entries, removed] = [0, 0];
  for (const { key, value } of snapshot.range(snapshot.events, { start: Buffer.alloc(1) })) {
    const entry = parseIndexEntry(key, value, before);
    checkOrder(before, entry);
    if (entry.streamNumber !== before?.streamNumber) {
      checkNewest(snapshot, before);
      if (entry.revision !== Number.POSITIVE_INFINITY) removed += entry.revision;
    }
    if (removed > snapshot.removed.events)
      throw new CorruptionError(
        { table: 'events', ...entry },
        'the stream begins here, and no scavenge removed what was before',
      );
    before = entry;
    entries += 1;
    if (entries % stepsBetweenProgress === 0) await progress(entries);
  }
  checkNewest(snapshot, before);
  if (entries === log.events) return;
  checkEntriesLeadToRecords(snapshot);
  throw new CorruptionError({ table: 'events' }, `it has ${entries} entries, the log ${log.events} records`);
};
