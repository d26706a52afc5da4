/** Checks the table of streams: its rows against the events of the streams and against their metadata. */
import { isDeepStrictEqual } from 'node:util';
import { eventKey } from '../storage/lmdb-tables';
import { dataOf, streamOf } from '../storage/records/record-format';
import {
  describedStreamOf,
  isMetadataStream,
  metadataStreamOf,
  nameKey,
  nameOfKey,
} from '../storage/streams/stream-heads';
import { decodeStreamMetadata } from '../storage/streams/stream-metadata';
import { findNewestEvent } from './check-index';
import { type Progress, stepsBetweenProgress } from './check-log';
import { CorruptionError, type CorruptionLocation } from './corruption-error';
import type { Snapshot } from './read-snapshot';
import { parseStreamRow, type StreamRow } from './stream-row';

/** The newest record, or the tombstone of a stream that has no other. */
const recordOf = (snapshot: Snapshot, { number, tombstoned }: StreamRow): Buffer | undefined => {
  const { events, log, get } = snapshot;
  const position =
    findNewestEvent(snapshot, number)?.position ?? (tombstoned ? get(events, endKey(number)) : undefined);
  return position && get(log, position);
};

const endKey = (number: number): Buffer => eventKey(number, Number.POSITIVE_INFINITY);

const rowNamed = (snapshot: Snapshot, name: Buffer): StreamRow | undefined => {
  const stored = snapshot.get(snapshot.streams, nameKey(name));
  return stored && parseStreamRow(stored, { table: 'streams', stream: name });
};

const isTombstoned = (snapshot: Snapshot, name: Buffer): boolean => rowNamed(snapshot, name)?.tombstoned === true;

const hides = ({ retention, acl }: StreamRow): boolean => Object.keys(retention).length > 0 || acl !== undefined;

/** Checks the newest event of `$$x` against the row of `x`. */
const checkDescribedStream = (snapshot: Snapshot, metadataStream: Buffer, newest: Buffer): void => {
  const owner = describedStreamOf(metadataStream);
  const location: CorruptionLocation = { table: 'streams', stream: owner };
  const row = rowNamed(snapshot, owner);
  if (row === undefined) throw new CorruptionError(location, 'the stream has metadata and no row');
  const expected: unknown = JSON.parse(JSON.stringify(decodeStreamMetadata(dataOf(newest))));
  const stored: unknown = { retention: row.retention, ...(row.acl === undefined ? {} : { acl: row.acl }) };
  if (!isDeepStrictEqual(expected, stored))
    throw new CorruptionError(location, 'the row is not what the newest metadata says');
};

/** A row without events was created by metadata, or is the metadata stream of a tombstoned stream. */
const checkReason = (snapshot: Snapshot, name: Buffer, row: StreamRow, hasEvents: boolean): void => {
  const ended = row.tombstoned || (isMetadataStream(name) && isTombstoned(snapshot, describedStreamOf(name)));
  if (ended || (hasEvents && !hides(row))) return;
  const metadata = rowNamed(snapshot, metadataStreamOf(name));
  if (metadata?.tombstoned) return;
  if (metadata === undefined || findNewestEvent(snapshot, metadata.number) === undefined)
    throw new CorruptionError(
      { table: 'streams', stream: name },
      hasEvents ? 'no metadata says what the row does' : 'the stream has no events',
    );
};

const checkRow = (snapshot: Snapshot, key: Buffer, stored: Buffer): void => {
  const location: CorruptionLocation = { table: 'streams', stream: key };
  const row = parseStreamRow(stored, location);
  if ((snapshot.get(snapshot.events, endKey(row.number)) !== undefined) !== row.tombstoned)
    throw new CorruptionError(
      location,
      row.tombstoned ? 'the tombstone is not there' : 'there is a tombstone the row does not know of',
    );
  const record = recordOf(snapshot, row);
  const name = record === undefined ? nameOfKey(key) : streamOf(record);
  // A long name without events cannot be recovered from its hash; the row of its metadata stream leads here.
  if (name === undefined) return;
  if (!nameKey(name).equals(key))
    throw new CorruptionError(location, `its number is that of ${JSON.stringify(name.toString('utf8'))}`);
  checkReason(snapshot, name, row, record !== undefined);
  if (
    record !== undefined &&
    isMetadataStream(name) &&
    !isTombstoned(snapshot, describedStreamOf(name)) &&
    !row.tombstoned
  )
    checkDescribedStream(snapshot, name, record);
};

export const checkStreams = async (snapshot: Snapshot, progress: Progress): Promise<number> => {
  let streams = 0;
  let before: Buffer = Buffer.alloc(0);
  for (const { key, value } of snapshot.range(snapshot.streams, { start: Buffer.alloc(1) })) {
    if (before.compare(key) >= 0)
      throw new CorruptionError({ table: 'streams', stream: key }, 'the row is out of order');
    checkRow(snapshot, key, value);
    before = key;
    streams += 1;
    if (streams % stepsBetweenProgress === 0) await progress(streams);
  }
  return streams;
};
