/** Writes events within a transaction: records, index, and the metadata of other streams. */
import { randomUUID } from 'node:crypto';
import { eventKey, positionKey } from './lmdb-tables';
import { dataOf, encodeRecord, type NewRecord, tombstoneRevision } from './records/record-format';
import { describedStreamOf, isMetadataStream, metadataStreamOf, type StreamHead } from './streams/stream-heads';
import { decodeStreamMetadata } from './streams/stream-metadata';
import type { Transaction } from './writer';

/** A number is the last revision; -1 means that the stream does not exist. */
export type ExpectedRevision = number | 'any' | 'exists';
export const noStream = -1;

export type AppendOutcome =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong-revision'; readonly revision: number }
  | { readonly kind: 'stream-deleted' };

const findOrCreateHead = ({ heads }: Transaction, name: Buffer, number: number): StreamHead =>
  heads.get(name) ?? { number, last: noStream, tombstoned: false, retention: {} };

/** Positions only grow. LMDB then fills its pages, which it would halve for a key that could come anywhere. */
const atEnd = { append: true } as const;

const writeRecord = (
  transaction: Transaction,
  name: Buffer,
  head: StreamHead,
  revision: number,
  event: NewRecord,
): number => {
  const { tables, ids, now, touched, written } = transaction;
  const position = transaction.next;
  const record = encodeRecord(event, { stream: name, streamNumber: head.number, revision, position, created: now });
  transaction.next += record.length;
  const key = positionKey(position);
  tables.log.putSync(key, record, atEnd);
  tables.events.putSync(eventKey(head.number, revision), key);
  if (revision !== tombstoneRevision) ids.set(event.id, { stream: head.number, revision, position });
  touched.add(head.number);
  written.push({ position, bytes: record, shared: {} });
  return position;
};

/** The newest event of `$$x` decides what of `x` is visible. */
const applyMetadata = (
  transaction: Transaction,
  name: Buffer,
  event: NewRecord | undefined,
  position: number,
): void => {
  if (event === undefined || !isMetadataStream(name)) return;
  const owner = describedStreamOf(name);
  // One more than the metadata event's own position, by which the metadata stream is numbered: no event begins there.
  const head = findOrCreateHead(transaction, owner, position + 1);
  transaction.heads.set(owner, { ...head, ...decodeStreamMetadata(event.data) });
};

export const writeEvents = (transaction: Transaction, name: Buffer, events: readonly NewRecord[]): AppendOutcome => {
  // A stream's number is the position of its first event.
  const head = findOrCreateHead(transaction, name, transaction.next);
  let revision = head.last;
  let position = 0;
  for (const event of events) {
    revision += 1;
    position = writeRecord(transaction, name, head, revision, event);
  }
  transaction.heads.set(name, { ...head, last: revision });
  applyMetadata(transaction, name, events.at(-1), position);
  return { kind: 'appended', revision, position };
};

export const writeTombstone = (transaction: Transaction, name: Buffer, event: NewRecord): number => {
  const head = findOrCreateHead(transaction, name, transaction.next);
  const position = writeRecord(transaction, name, head, tombstoneRevision, event);
  transaction.heads.set(name, { ...head, tombstoned: true });
  return position;
};

/** Writes a `$metadata` event to `$$x` with another `$tb` and the same rest; returns its position. */
export const writeTruncateBefore = (transaction: Transaction, stream: Buffer, before: string): number => {
  const name = metadataStreamOf(stream);
  const head = transaction.heads.get(name);
  const position = head === undefined ? undefined : transaction.tables.events.get(eventKey(head.number, head.last));
  const record = position === undefined ? undefined : transaction.tables.log.get(position);
  const data = Buffer.from(withTruncation(record === undefined ? '{}' : dataOf(record).toString('utf8'), before));
  const event = { id: randomUUID(), type: '$metadata', json: true, data, metadata: Buffer.alloc(0) };
  const written = writeEvents(transaction, name, [event]);
  return written.kind === 'appended' ? written.position : 0;
};

/** `$tb` may be int64's maximum, which JSON.stringify cannot write, so it is inserted as text. */
const withTruncation = (json: string, before: string): string => {
  const rest = metadataFields(json);
  const fields = Object.entries(rest).map(([field, value]) => `${JSON.stringify(field)}:${JSON.stringify(value)}`);
  return `{${[`"$tb":${before}`, ...fields].join(',')}}`;
};

const metadataFields = (json: string): object => {
  try {
    const { $tb: _, ...rest } = JSON.parse(json) as Record<string, unknown>;
    return rest;
  } catch {
    return {};
  }
};
