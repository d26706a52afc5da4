/** Checks one record of the log: its checksum, its header against its message, and the other tables' entries for it. */
import { eventKey, numberOf } from '../storage/lmdb-tables';
import {
  createdOf,
  headerBytes,
  headerSpansOf,
  isIntact,
  revisionOf,
  streamNumberOf,
  streamOf,
} from '../storage/records/record-format';
import { nameKey } from '../storage/streams/stream-heads';
import { CorruptionError, type CorruptionLocation } from './corruption-error';
import type { Snapshot } from './read-snapshot';
import { parseRecordedEvent, type Span } from './recorded-event';
import { parseStreamRow } from './stream-row';

const idShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const contentTypes = ['application/json', 'application/octet-stream'];

const isSameSpan = (span: Span, header: Span): boolean => span.at === header.at && span.bytes === header.bytes;
const textAt = (bytes: Buffer, { at, bytes: length }: Span): string => bytes.toString('latin1', at, at + length);

const headerMatchesMessage = (bytes: Buffer, position: number): boolean => {
  const message = parseRecordedEvent(bytes, headerBytes);
  if (message === undefined) return false;
  const header = headerSpansOf(bytes);
  return (
    isSameSpan(message.stream, header.stream) &&
    isSameSpan(message.type, header.type) &&
    isSameSpan(message.data, header.data) &&
    isSameSpan(message.id, header.id) &&
    message.revision === revisionOf(bytes) &&
    message.commit === position &&
    message.prepare === position &&
    textAt(bytes, message.created) === `${createdOf(bytes)}0000` &&
    idShape.test(textAt(bytes, message.id)) &&
    contentTypes.includes(textAt(bytes, message.contentType))
  );
};

/** Numbers of recently seen streams, so that not every record looks up its stream's row. */
export type StreamNumbers = Map<string, number>;
const maxStreamNumbers = 20_000;
const maxRememberedNameBytes = 200;

const numberOfStream = (
  snapshot: Snapshot,
  numbers: StreamNumbers,
  name: Buffer,
  location: CorruptionLocation,
): number => {
  const key = name.toString('latin1');
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const stored = snapshot.get(snapshot.streams, nameKey(name));
  if (stored === undefined)
    throw new CorruptionError({ ...location, table: 'streams' }, 'the stream of a record is not there');
  const { number } = parseStreamRow(stored, { table: 'streams', stream: name });
  if (numbers.size >= maxStreamNumbers) numbers.clear();
  if (name.length <= maxRememberedNameBytes) numbers.set(key, number);
  return number;
};

export const checkRecord = (snapshot: Snapshot, numbers: StreamNumbers, position: number, bytes: Buffer): void => {
  const at: CorruptionLocation = { table: 'log', position };
  if (!isIntact(bytes)) throw new CorruptionError(at, "the record's checksum does not hold");
  if (!headerMatchesMessage(bytes, position))
    throw new CorruptionError(at, "the record's header is not what its event says");
  const [name, revision] = [streamOf(bytes), revisionOf(bytes)];
  const location: CorruptionLocation = { ...at, stream: name, revision };
  const number = numberOfStream(snapshot, numbers, name, location);
  if (number !== streamNumberOf(bytes))
    throw new CorruptionError(location, `the stream is numbered ${number}, its record says ${streamNumberOf(bytes)}`);
  const indexed = snapshot.get(snapshot.events, eventKey(number, revision));
  if (indexed?.length !== 8)
    throw new CorruptionError({ ...location, table: 'events' }, 'the index does not find the record');
  if (numberOf(indexed) !== position)
    throw new CorruptionError({ ...location, table: 'events' }, `the index leads to position ${numberOf(indexed)}`);
};
