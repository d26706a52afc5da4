/** Reads in pages: each page is one short read, so that a slow reader pins no LMDB pages. */
import { eventKey, numberOf, positionKey, type Tables } from './lmdb-tables';
import { type Direction, readRecord, scanRecords } from './records/read-record';
import { createdOf, type StoredRecord, streamOf } from './records/record-format';
import { readRemovedEvents } from './scavenge-state';
import { firstVisibleRevision, isMissing, isSoftDeleted, type StreamHead } from './streams/stream-heads';

/** Each reader holds one page in memory while it is sent; there may be a thousand subscriptions. */
const maxPageEvents = 64;
const maxPageBytes = 64 * 1024;

export interface StreamPage {
  readonly records: readonly StoredRecord[];
  /** Revision of the next page; undefined after the last. */
  readonly next: number | undefined;
}

export interface StreamWindow {
  readonly name: Buffer;
  readonly head: StreamHead;
  /** Inclusive. */
  readonly from: number;
  readonly direction: Direction;
  readonly limit: number;
}

const createAgeFilter = ({ retention }: StreamHead, now: number) => {
  const oldest = retention.maxAge === undefined ? undefined : now - retention.maxAge * 1000;
  return (record: StoredRecord): boolean => oldest !== undefined && createdOf(record.bytes) < oldest;
};

/** Lowest and highest revision of a window, inclusive. */
/** Both inclusive. */
interface RevisionBounds {
  readonly low: number;
  readonly high: number;
}

const revisionBounds = ({ name, head, from, direction }: StreamWindow): RevisionBounds => {
  const lowest = firstVisibleRevision(name, head);
  return direction === 'forwards'
    ? { low: Math.max(from, lowest), high: head.last }
    : { low: lowest, high: Math.min(from, head.last) };
};

const keysBetween = ({ events }: Tables, window: StreamWindow, { low, high }: RevisionBounds) => {
  const { number } = window.head;
  const limit = Math.min(window.limit, maxPageEvents);
  if (window.direction === 'forwards')
    return events.getRange({ start: eventKey(number, low), end: eventKey(number, high + 1), limit });
  const end = low === 0 ? eventKey(number - 1, Number.POSITIVE_INFINITY) : eventKey(number, low - 1);
  return events.getRange({ start: eventKey(number, high), end, reverse: true, limit });
};

export const readStreamPage = (tables: Tables, window: StreamWindow): StreamPage => {
  const bounds = revisionBounds(window);
  if (isMissing(window.head) || bounds.low > bounds.high || window.limit <= 0) return { records: [], next: undefined };
  const isExpired = createAgeFilter(window.head, Date.now());
  const records: StoredRecord[] = [];
  let size = 0;
  let revision: number | undefined;
  for (const { key, value } of keysBetween(tables, window, bounds)) {
    const record = readRecord(tables, numberOf(value));
    revision = numberOf(key, 8);
    if (isExpired(record)) continue;
    records.push(record);
    size += record.bytes.length;
    if (size >= maxPageBytes) break;
  }
  // Scavenges remove prefixes: below the first event, and in an outdated head, nothing follows.
  if (revision === undefined) return { records, next: undefined };
  const next = window.direction === 'forwards' ? revision + 1 : revision - 1;
  return { records, next: next < bounds.low || next > bounds.high ? undefined : next };
};

export const isReadable = (head: StreamHead | undefined): head is StreamHead =>
  head !== undefined && !isMissing(head) && !isSoftDeleted(head);

export type Matches = (record: StoredRecord) => boolean;

export interface AllPage {
  readonly records: readonly StoredRecord[];
  /** Position of the last scanned record, matching or not; undefined if none. */
  readonly last: number | undefined;
  /** Records scanned, without hidden ones. */
  readonly considered: number;
  readonly more: boolean;
}

export interface AllWindow {
  /** Inclusive forwards, exclusive backwards. */
  readonly from: number;
  readonly direction: Direction;
  readonly limit: number;
  /** Maximum number of records to scan. */
  readonly window: number;
  readonly matches: Matches;
}

export const readAllPage = (tables: Tables, page: AllWindow): AllPage => {
  const maxRecords = Math.min(page.window, maxPageEvents);
  const records: StoredRecord[] = [];
  let last: number | undefined;
  let scanned = 0;
  let considered = 0;
  let size = 0;
  for (const record of scanRecords(tables, page, maxRecords)) {
    last = record.position;
    scanned += 1;
    if (isHidden(record.bytes)) continue;
    considered += 1;
    if (!page.matches(record)) continue;
    records.push(record);
    size += record.bytes.length;
    if (records.length >= page.limit || size >= maxPageBytes) return { records, last, considered, more: true };
  }
  return { records, last, considered, more: scanned === maxRecords };
};

/** Position of the newest record. */
export const lastPositionOf = ({ log }: Tables): number | undefined => {
  for (const key of log.getKeys({ reverse: true, limit: 1 })) return numberOf(key);
  return undefined;
};

/** Whether a reader can resume here without missing events: a record's position, or one in a removed range. */
export const isBoundary = (tables: Tables, position: number): boolean =>
  tables.log.doesExist(positionKey(position)) || position <= readRemovedEvents(tables).position;

const prefix = Buffer.from('$persistentsubscription-$all::');
const suffixes = [Buffer.from('-checkpoint'), Buffer.from('-parked')];

const startsWith = (name: Buffer): boolean => name.subarray(0, prefix.length).equals(prefix);
const endsWith = (name: Buffer, suffix: Buffer): boolean =>
  name.length >= prefix.length + suffix.length && name.subarray(name.length - suffix.length).equals(suffix);

/**
 * Hidden from `$all`: the system streams of persistent subscriptions to `$all`, which would otherwise follow
 * themselves.
 */
const isHidden = (bytes: Buffer): boolean => {
  const name = streamOf(bytes);
  if (name[0] !== 0x24 || !startsWith(name)) return false;
  return suffixes.some((suffix) => endsWith(name, suffix));
};
