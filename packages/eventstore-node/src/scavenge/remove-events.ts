/** Removes a portion of events in one short transaction. */
import { eventKey, numberOf, type Tables } from '../storage/lmdb-tables';
import { lastPositionOf } from '../storage/read-pages';
import { createdOf, isIntact } from '../storage/records/record-format';
import { addRemovedEvents } from '../storage/scavenge-state';
import type { StreamHead } from '../storage/streams/stream-heads';
import type { Transaction, Write } from '../storage/writer';
import { removableBefore, removableBelow } from './removable';

export interface RemovedPortion {
  readonly events: number;
  readonly bytes: number;
  /** Streams that are finished. */
  readonly streams: number;
  /** Positions of corrupt records, which stay together with the rest of their streams. */
  readonly damaged: readonly number[];
}

/** Events removed between two checks of the time. */
const stepEvents = 32;
const maxMilliseconds = 4;

interface RemovalTotals {
  position: number;
  events: number;
  bytes: number;
  readonly damaged: number[];
}

interface RemovalLimits {
  /** The log's newest record stays: positions continue from it. */
  readonly newest: number;
  readonly below: number;
  readonly before: number | undefined;
}

const limitsOf = ({ tables, heads, now }: Transaction, name: Buffer, head: StreamHead): RemovalLimits => ({
  newest: lastPositionOf(tables) ?? 0,
  below: removableBelow(heads, name, head),
  before: removableBefore(head, now),
});

const entriesOf = ({ events }: Tables, { number, last }: StreamHead, { below }: RemovalLimits) => {
  const end = below === Number.POSITIVE_INFINITY ? below : last;
  return [...events.getRange({ start: eventKey(number, 0), end: eventKey(number, end), limit: stepEvents })];
};

const isRemovable = ({ below, before }: RemovalLimits, revision: number, record: Buffer): boolean =>
  revision < below || (before !== undefined && createdOf(record) < before);

/** Returns whether the stream has more removable events. */
const removeStep = (transaction: Transaction, name: Buffer, sum: RemovalTotals): boolean => {
  const { tables, heads } = transaction;
  const head = heads.get(name);
  if (head === undefined) return false;
  const limits = limitsOf(transaction, name, head);
  const entries = entriesOf(tables, head, limits);
  for (const { key, value } of entries) {
    const position = numberOf(value);
    const record = tables.log.get(value);
    if (record === undefined || !isIntact(record)) {
      sum.damaged.push(position);
      return false;
    }
    if (position >= limits.newest || !isRemovable(limits, numberOf(key, 8), record)) return false;
    tables.events.removeSync(key);
    tables.log.removeSync(value);
    sum.position = Math.max(sum.position, position);
    sum.events += 1;
    sum.bytes += record.length;
  }
  return entries.length === stepEvents;
};

/** Decides again what is removable, because metadata may have changed since the streams were chosen. */
export const removePortion =
  (names: readonly Buffer[]): Write<RemovedPortion> =>
  (transaction) => {
    const started = performance.now();
    const sum: RemovalTotals = { position: 0, events: 0, bytes: 0, damaged: [] };
    let streams = 0;
    while (streams < names.length && performance.now() - started < maxMilliseconds)
      if (!removeStep(transaction, names[streams] as Buffer, sum)) streams += 1;
    if (sum.events > 0) addRemovedEvents(transaction.tables, sum);
    return { events: sum.events, bytes: sum.bytes, streams, damaged: sum.damaged };
  };
