/** The index of events in its order: each stream's revisions without holes, and not one entry more than the log has records. */
import { eventKey, numberOf } from '../../storage/database';
import { hidesAll } from '../../storage/metadata';
import { Damage } from './damage';
import type { Snapshot } from './snapshot';
import { type Log, type Progress, stepsBetween } from './walk-log';

const tombstone = 0xffffffffffffffffn;

interface Entry {
  readonly streamNumber: number;
  readonly revision: number;
}

const entryOf = (key: Buffer, value: Buffer, before: Entry | undefined): Entry => {
  if (key.length !== 16 || value.length !== 8)
    throw new Damage({ table: 'events', ...before }, 'an entry follows that is none');
  const revision = key.readBigUInt64BE(8);
  return {
    streamNumber: numberOf(key),
    revision: revision === tombstone ? Number.POSITIVE_INFINITY : Number(revision),
  };
};

const checkOrder = (before: Entry | undefined, entry: Entry): void => {
  if (before === undefined || entry.streamNumber > before.streamNumber) return;
  const follows = entry.revision === before.revision + 1 || entry.revision === Number.POSITIVE_INFINITY;
  if (entry.streamNumber < before.streamNumber || !follows || before.revision === Number.POSITIVE_INFINITY)
    throw new Damage({ table: 'events', ...entry }, `it follows revision ${before.revision} of ${before.streamNumber}`);
};

/** The newest event by the way a node finds it: from above. */
export const newestOf = (
  { events, range }: Snapshot,
  number: number,
): { revision: number; position: Buffer } | undefined => {
  const from = { start: eventKey(number, hidesAll), end: eventKey(number - 1, Number.POSITIVE_INFINITY) };
  for (const { key, value } of range(events, { ...from, reverse: true, limit: 1 }))
    if (key.length === 16 && numberOf(key) === number) return { revision: numberOf(key, 8), position: value };
  return undefined;
};

const checkNewest = (snapshot: Snapshot, last: Entry | undefined): void => {
  if (last === undefined || last.revision === Number.POSITIVE_INFINITY) return;
  const found = newestOf(snapshot, last.streamNumber)?.revision;
  if (found !== last.revision)
    throw new Damage({ table: 'events', ...last }, `the stream's newest event is not found, but ${found ?? 'none'}`);
};

/** Which entry leads nowhere, when there are more of them than records. */
const checkLeads = (snapshot: Snapshot): void => {
  for (const { key, value } of snapshot.range(snapshot.events, { start: Buffer.alloc(1) }))
    if (snapshot.get(snapshot.log, value) === undefined)
      throw new Damage(
        { table: 'events', ...entryOf(key, value, undefined), position: numberOf(value) },
        'no record is there',
      );
};

export const walkIndex = async (snapshot: Snapshot, log: Log, progress: Progress): Promise<void> => {
  let before: Entry | undefined;
  let [entries, removed] = [0, 0];
  for (const { key, value } of snapshot.range(snapshot.events, { start: Buffer.alloc(1) })) {
    const entry = entryOf(key, value, before);
    checkOrder(before, entry);
    if (entry.streamNumber !== before?.streamNumber) {
      checkNewest(snapshot, before);
      if (entry.revision !== Number.POSITIVE_INFINITY) removed += entry.revision;
    }
    if (removed > snapshot.removed.events)
      throw new Damage(
        { table: 'events', ...entry },
        'the stream begins here, and no scavenge removed what was before',
      );
    before = entry;
    entries += 1;
    if (entries % stepsBetween === 0) await progress(entries);
  }
  checkNewest(snapshot, before);
  if (entries === log.events) return;
  checkLeads(snapshot);
  throw new Damage({ table: 'events' }, `it has ${entries} entries, the log ${log.events} records`);
};
