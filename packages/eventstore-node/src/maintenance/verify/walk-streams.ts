/** The table of streams: its rows against the events of the streams, and against what metadata says of them. */
import { isDeepStrictEqual } from 'node:util';
import { eventKey } from '../../storage/database';
import { isMetadataStream, metadataStreamOf, nameIn, nameKey, ownerOf } from '../../storage/heads';
import { metadataOf } from '../../storage/metadata';
import { dataOf, streamOf } from '../../storage/record';
import { Damage, type Place } from './damage';
import { type Row, rowOf } from './row';
import type { Snapshot } from './snapshot';
import { newestOf } from './walk-index';
import { type Progress, stepsBetween } from './walk-log';

/** The newest record, or the tombstone of a stream that has nothing else. */
const recordOf = (snapshot: Snapshot, { number, tombstoned }: Row): Buffer | undefined => {
  const { events, log, get } = snapshot;
  const position = newestOf(snapshot, number)?.position ?? (tombstoned ? get(events, endKey(number)) : undefined);
  return position && get(log, position);
};

const endKey = (number: number): Buffer => eventKey(number, Number.POSITIVE_INFINITY);

const rowNamed = (snapshot: Snapshot, name: Buffer): Row | undefined => {
  const stored = snapshot.get(snapshot.streams, nameKey(name));
  return stored && rowOf(stored, { table: 'streams', stream: name });
};

const isTombstoned = (snapshot: Snapshot, name: Buffer): boolean => rowNamed(snapshot, name)?.tombstoned === true;

const hides = ({ retention, acl }: Row): boolean => Object.keys(retention).length > 0 || acl !== undefined;

/** The newest event of `$$x` against the row of `x`. */
const checkOwner = (snapshot: Snapshot, metadataStream: Buffer, newest: Buffer): void => {
  const owner = ownerOf(metadataStream);
  const place: Place = { table: 'streams', stream: owner };
  const row = rowNamed(snapshot, owner);
  if (row === undefined) throw new Damage(place, 'the stream has metadata and no row');
  const said: unknown = JSON.parse(JSON.stringify(metadataOf(dataOf(newest))));
  const kept: unknown = { retention: row.retention, ...(row.acl === undefined ? {} : { acl: row.acl }) };
  if (!isDeepStrictEqual(said, kept)) throw new Damage(place, 'the row is not what the newest metadata says');
};

/** A row without events is one that metadata made, or metadata of a stream that ended. */
const checkReason = (snapshot: Snapshot, name: Buffer, row: Row, hasEvents: boolean): void => {
  const ended = row.tombstoned || (isMetadataStream(name) && isTombstoned(snapshot, ownerOf(name)));
  if (ended || (hasEvents && !hides(row))) return;
  const metadata = rowNamed(snapshot, metadataStreamOf(name));
  if (metadata?.tombstoned) return;
  if (metadata === undefined || newestOf(snapshot, metadata.number) === undefined)
    throw new Damage(
      { table: 'streams', stream: name },
      hasEvents ? 'no metadata says what the row does' : 'the stream has no events',
    );
};

const checkRow = (snapshot: Snapshot, key: Buffer, stored: Buffer): void => {
  const place: Place = { table: 'streams', stream: key };
  const row = rowOf(stored, place);
  if ((snapshot.get(snapshot.events, endKey(row.number)) !== undefined) !== row.tombstoned)
    throw new Damage(
      place,
      row.tombstoned ? 'the tombstone is not there' : 'there is a tombstone the row does not know of',
    );
  const record = recordOf(snapshot, row);
  const name = record === undefined ? nameIn(key) : streamOf(record);
  // A long name without events cannot be known; its metadata stream's row leads here.
  if (name === undefined) return;
  if (!nameKey(name).equals(key))
    throw new Damage(place, `its number is that of ${JSON.stringify(name.toString('utf8'))}`);
  checkReason(snapshot, name, row, record !== undefined);
  if (record !== undefined && isMetadataStream(name) && !isTombstoned(snapshot, ownerOf(name)) && !row.tombstoned)
    checkOwner(snapshot, name, record);
};

export const walkStreams = async (snapshot: Snapshot, progress: Progress): Promise<number> => {
  let streams = 0;
  let before: Buffer = Buffer.alloc(0);
  for (const { key, value } of snapshot.range(snapshot.streams, { start: Buffer.alloc(1) })) {
    if (before.compare(key) >= 0) throw new Damage({ table: 'streams', stream: key }, 'the row is out of order');
    checkRow(snapshot, key, value);
    before = key;
    streams += 1;
    if (streams % stepsBetween === 0) await progress(streams);
  }
  return streams;
};
