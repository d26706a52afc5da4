/** Appending: expected revisions, idempotence by event id, and the events themselves, inside one transaction. */
import { randomUUID } from 'node:crypto';
import { eventKey, numberOf, positionKey } from './database';
import {
  type Head,
  isEnded,
  isMetadataStream,
  isMissing,
  isSoftDeleted,
  metadataStreamOf,
  ownerOf,
  retentionOf,
} from './heads';
import { dataOf, encodeRecord, idOf, type NewRecord, tombstoneRevision } from './record';
import type { Transaction } from './writer';

/** A number is the last revision; -1 stands for no stream. */
export type ExpectedRevision = number | 'any' | 'exists';
export const noStream = -1;

export type AppendOutcome =
  | { readonly kind: 'appended'; readonly revision: number; readonly position: number }
  | { readonly kind: 'wrong-revision'; readonly revision: number }
  | { readonly kind: 'stream-deleted' };

const headFor = ({ heads }: Transaction, name: Buffer, number: number): Head =>
  heads.get(name) ?? { number, last: noStream, tombstoned: false, retention: {} };

const put = (transaction: Transaction, name: Buffer, head: Head, revision: number, event: NewRecord): number => {
  const { tables, ids, now, touched } = transaction;
  const position = transaction.next;
  const record = encodeRecord(event, { stream: name, streamNumber: head.number, revision, position, created: now });
  transaction.next += record.length;
  tables.log.putSync(positionKey(position), record);
  tables.events.putSync(eventKey(head.number, revision), positionKey(position));
  if (revision !== tombstoneRevision) ids.set(event.id, { stream: head.number, revision });
  touched.add(head.number);
  return position;
};

/** The newest event of `$$x` says what of `x` is visible. */
const followMetadata = (
  transaction: Transaction,
  name: Buffer,
  event: NewRecord | undefined,
  position: number,
): void => {
  if (event === undefined || !isMetadataStream(name)) return;
  const owner = ownerOf(name);
  // One more than the metadata event's own position, which numbers the metadata stream: no event begins there.
  const head = headFor(transaction, owner, position + 1);
  transaction.heads.set(owner, { ...head, retention: retentionOf(event.data) });
};

export const writeEvents = (transaction: Transaction, name: Buffer, events: readonly NewRecord[]): AppendOutcome => {
  // A stream is numbered by the position of its first event.
  const head = headFor(transaction, name, transaction.next);
  let revision = head.last;
  let position = 0;
  for (const event of events) {
    revision += 1;
    position = put(transaction, name, head, revision, event);
  }
  transaction.heads.set(name, { ...head, last: revision });
  followMetadata(transaction, name, events.at(-1), position);
  return { kind: 'appended', revision, position };
};

export const writeTombstone = (transaction: Transaction, name: Buffer, event: NewRecord): number => {
  const head = headFor(transaction, name, transaction.next);
  const position = put(transaction, name, head, tombstoneRevision, event);
  transaction.heads.set(name, { ...head, tombstoned: true });
  return position;
};

const positionOf = ({ tables }: Transaction, head: Head, revision: number): number => {
  const stored = tables.events.get(eventKey(head.number, revision));
  return stored === undefined ? 0 : numberOf(stored);
};

const revisionOfId = ({ ids }: Transaction, head: Head, id: string): number | undefined => {
  const known = ids.get(id);
  return known?.stream === head.number ? known.revision : undefined;
};

const wrong = (head: Head): AppendOutcome => ({ kind: 'wrong-revision', revision: head.last });
const already = (transaction: Transaction, head: Head, revision: number): AppendOutcome => ({
  kind: 'appended',
  revision,
  position: positionOf(transaction, head, revision),
});

/** With `any`, an append is a repetition when its first id is known in the stream; then all of them must be. */
const repeatedAnywhere = (
  transaction: Transaction,
  head: Head,
  events: readonly NewRecord[],
): AppendOutcome | undefined => {
  const [first] = events;
  if (first === undefined || revisionOfId(transaction, head, first.id) === undefined) return undefined;
  const revisions = events.map(({ id }) => revisionOfId(transaction, head, id));
  const last = revisions.at(-1);
  if (last === undefined || revisions.includes(undefined)) return wrong(head);
  return already(transaction, head, last);
};

/** With a revision that is past, an append is a repetition when exactly its events follow that revision. */
const repeatedAfter = (
  transaction: Transaction,
  head: Head,
  after: number,
  events: readonly NewRecord[],
): AppendOutcome => {
  const same = events.every(({ id }, index) => {
    const position = transaction.tables.events.get(eventKey(head.number, after + 1 + index));
    const record = position === undefined ? undefined : transaction.tables.log.get(position);
    return record !== undefined && idOf(record) === id;
  });
  return same && events.length > 0 ? already(transaction, head, after + events.length) : wrong(head);
};

/** The answer without writing, or undefined when the events are to be written. */
const settled = (
  transaction: Transaction,
  head: Head | undefined,
  expected: ExpectedRevision,
  events: readonly NewRecord[],
): AppendOutcome | undefined => {
  if (head === undefined || isMissing(head)) {
    // A stream that has metadata exists, as far as `exists` is concerned.
    const there = expected === 'any' || expected === noStream || (expected === 'exists' && head !== undefined);
    return there ? undefined : { kind: 'wrong-revision', revision: noStream };
  }
  if (expected === 'exists' && isSoftDeleted(head)) return { kind: 'stream-deleted' };
  if (expected === 'any' || expected === 'exists') return repeatedAnywhere(transaction, head, events);
  if (expected === head.last || (expected === noStream && isSoftDeleted(head))) return undefined;
  if (expected > head.last) return wrong(head);
  return repeatedAfter(transaction, head, expected, events);
};

/** Writes a `$metadata` event to `$$x`: what stands there with another `$tb`; answers its position. */
export const changeMetadata = (transaction: Transaction, stream: Buffer, before: string): number => {
  const name = metadataStreamOf(stream);
  const head = transaction.heads.get(name);
  const position = head === undefined ? undefined : transaction.tables.events.get(eventKey(head.number, head.last));
  const record = position === undefined ? undefined : transaction.tables.log.get(position);
  const data = Buffer.from(withTruncation(record === undefined ? '{}' : dataOf(record).toString('utf8'), before));
  const event = { id: randomUUID(), type: '$metadata', json: true, data, metadata: Buffer.alloc(0) };
  const written = writeEvents(transaction, name, [event]);
  return written.kind === 'appended' ? written.position : 0;
};

/** `$tb` may be int64's maximum, which JSON.stringify cannot write: it is put in as text. */
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

export interface AppendRequest {
  readonly stream: Buffer;
  readonly expected: ExpectedRevision;
  readonly events: readonly NewRecord[];
}

export const append =
  ({ stream, expected, events }: AppendRequest) =>
  (transaction: Transaction): AppendOutcome => {
    const head = transaction.heads.get(stream);
    if (isEnded(transaction.heads, stream)) return { kind: 'stream-deleted' };
    const answer = settled(transaction, head, expected, events);
    if (answer !== undefined) return answer;
    if (events.length === 0) return { kind: 'appended', revision: head?.last ?? noStream, position: transaction.next };
    const written = writeEvents(transaction, stream, events);
    // What a soft delete hid stays hidden when the stream is used again.
    if (head !== undefined && isSoftDeleted(head)) changeMetadata(transaction, stream, String(head.last + 1));
    return written;
  };
