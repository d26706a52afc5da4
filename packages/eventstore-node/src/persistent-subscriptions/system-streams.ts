/** What a group writes to the log, under EventStoreDB's names: checkpoints and parked messages. */
import { randomUUID } from 'node:crypto';
import { softDelete } from '../storage/delete';
import type { NewRecord } from '../storage/records/record-format';
import type { Storage } from '../storage/storage';
import {
  firstVisibleRevision,
  isMissing,
  isSoftDeleted,
  isTombstoned,
  metadataStreamOf,
  type StreamHead,
} from '../storage/streams/stream-heads';
import { writeEvents } from '../storage/write-events';
import type { Transaction } from '../storage/writer';

export const checkpointStream = (key: string): Buffer => Buffer.from(`$persistentsubscription-${key}-checkpoint`);
export const parkedStream = (key: string): Buffer => Buffer.from(`$persistentsubscription-${key}-parked`);

const newEvent = (type: string, fields: Partial<NewRecord>): NewRecord => ({
  id: randomUUID(),
  type,
  json: true,
  data: Buffer.alloc(0),
  metadata: Buffer.alloc(0),
  ...fields,
});
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

const administratorsOnly = { $r: '$admins', $w: '$admins', $d: '$admins', $mr: '$admins', $mw: '$admins' };

const writeMetadata = (transaction: Transaction, stream: Buffer, metadata: object): void => {
  writeEvents(transaction, metadataStreamOf(stream), [newEvent('$metadata', { data: json(metadata) })]);
};

/** Bounds the stream to its newest events; events of a deleted group of that name stay hidden. */
const keepOnlyLatest = (transaction: Transaction, stream: Buffer, more: object): void => {
  const head = transaction.heads.get(stream);
  const deleted = head !== undefined && isSoftDeleted(head);
  if (head?.retention.maxCount !== undefined && !deleted) return;
  const hidden = deleted ? { $tb: head.last + 1 } : {};
  writeMetadata(transaction, stream, { $maxCount: 2, ...hidden, ...more });
};

export interface LatestEvent {
  readonly stream: Buffer;
  readonly type: string;
  /** `position`: that of the new event. */
  readonly value: (position: number) => unknown;
  readonly metadata?: object;
}

/** Returns whether it was written: a tombstoned stream accepts nothing. */
export const writeLatestEvent =
  ({ stream, type, value, metadata = {} }: LatestEvent) =>
  (transaction: Transaction): boolean => {
    if (isTombstoned(transaction.heads, stream)) return false;
    keepOnlyLatest(transaction, stream, metadata);
    writeEvents(transaction, stream, [newEvent(type, { data: json(value(transaction.next)) })]);
    return true;
  };

export const writeCheckpoint = (key: string, position: string): ((transaction: Transaction) => boolean) =>
  writeLatestEvent({
    stream: checkpointStream(key),
    type: 'SubscriptionCheckpoint',
    value: () => position,
    metadata: { $acl: { ...administratorsOnly, $mr: '$all' } },
  });

export interface ParkedMessage {
  /** The parked event, as `N@stream`. */
  readonly link: string;
  readonly reason: string;
  /** The revision of the event or link in its own stream; infinite for a tombstone. */
  readonly revision: number;
}

/** Clients give the reason, and some are long. */
const maxReasonLength = 8_192;

export const writeParked =
  (key: string, { link, reason, revision }: ParkedMessage) =>
  (transaction: Transaction): boolean => {
    const stream = parkedStream(key);
    if (isTombstoned(transaction.heads, stream)) return false;
    const head = transaction.heads.get(stream);
    if (head !== undefined && isSoftDeleted(head)) writeTruncation(transaction, stream, head.last + 1);
    const added = new Date(transaction.now).toISOString();
    const subscriptionEventNumber = Math.min(revision, Number.MAX_SAFE_INTEGER);
    const metadata = json({ added, reason: reason.slice(0, maxReasonLength), subscriptionEventNumber });
    writeEvents(transaction, stream, [newEvent('$>', { json: false, data: Buffer.from(link), metadata })]);
    return true;
  };

const writeTruncation = (transaction: Transaction, stream: Buffer, before: number): void =>
  writeMetadata(transaction, stream, { $tb: before, $acl: administratorsOnly });

/** Parked messages below this revision are handled. */
export const truncateParkedStream =
  (key: string, before: number) =>
  (transaction: Transaction): boolean => {
    const stream = parkedStream(key);
    const head = transaction.heads.get(stream);
    // The group was deleted meanwhile.
    if (head === undefined || isSoftDeleted(head) || isTombstoned(transaction.heads, stream)) return false;
    writeTruncation(transaction, stream, before);
    return true;
  };

export const deleteSystemStreams = (transaction: Transaction, key: string): void => {
  for (const stream of [checkpointStream(key), parkedStream(key)]) softDelete({ stream, expected: 'any' })(transaction);
};

const readable = (head: StreamHead | undefined): head is StreamHead =>
  head !== undefined && !isMissing(head) && !isSoftDeleted(head) && !head.tombstoned;

/** Undefined when nothing is parked. */
export const parkedRange = ({ heads }: Storage, key: string): { first: number; last: number } | undefined => {
  const stream = parkedStream(key);
  const head = heads.get(stream);
  if (!readable(head)) return undefined;
  const first = firstVisibleRevision(stream, head);
  return first > head.last ? undefined : { first, last: head.last };
};
