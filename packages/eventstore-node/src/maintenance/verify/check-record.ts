/** One record of the log: its checksum, its header against its message, and the other tables' say on it. */
import { eventKey, numberOf } from '../../storage/database';
import { nameKey } from '../../storage/heads';
import { createdOf, headerBytes, isIntact, revisionOf, spansOf, streamNumberOf, streamOf } from '../../storage/record';
import { Damage, type Place } from './damage';
import { messageIn, type Span } from './message';
import { rowOf } from './row';
import type { Snapshot } from './snapshot';

const idShape = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const contentTypes = ['application/json', 'application/octet-stream'];

const isAt = (span: Span, header: Span): boolean => span.at === header.at && span.bytes === header.bytes;
const textAt = (bytes: Buffer, { at, bytes: length }: Span): string => bytes.toString('latin1', at, at + length);

const agrees = (bytes: Buffer, position: number): boolean => {
  const message = messageIn(bytes, headerBytes);
  if (message === undefined) return false;
  const header = spansOf(bytes);
  return (
    isAt(message.stream, header.stream) &&
    isAt(message.type, header.type) &&
    isAt(message.data, header.data) &&
    isAt(message.id, header.id) &&
    message.revision === revisionOf(bytes) &&
    message.commit === position &&
    message.prepare === position &&
    textAt(bytes, message.created) === `${createdOf(bytes)}0000` &&
    idShape.test(textAt(bytes, message.id)) &&
    contentTypes.includes(textAt(bytes, message.contentType))
  );
};

/** Numbers of streams seen lately, so that not every record asks for its stream's row. */
export type Numbers = Map<string, number>;
const mostNumbers = 20_000;
const longestRemembered = 200;

const numberOfStream = (snapshot: Snapshot, numbers: Numbers, name: Buffer, place: Place): number => {
  const key = name.toString('latin1');
  const known = numbers.get(key);
  if (known !== undefined) return known;
  const stored = snapshot.get(snapshot.streams, nameKey(name));
  if (stored === undefined) throw new Damage({ ...place, table: 'streams' }, 'the stream of a record is not there');
  const { number } = rowOf(stored, { table: 'streams', stream: name });
  if (numbers.size >= mostNumbers) numbers.clear();
  if (name.length <= longestRemembered) numbers.set(key, number);
  return number;
};

export const checkRecord = (snapshot: Snapshot, numbers: Numbers, position: number, bytes: Buffer): void => {
  const at: Place = { table: 'log', position };
  if (!isIntact(bytes)) throw new Damage(at, "the record's checksum does not hold");
  if (!agrees(bytes, position)) throw new Damage(at, "the record's header is not what its event says");
  const [name, revision] = [streamOf(bytes), revisionOf(bytes)];
  const place: Place = { ...at, stream: name, revision };
  const number = numberOfStream(snapshot, numbers, name, place);
  if (number !== streamNumberOf(bytes))
    throw new Damage(place, `the stream is numbered ${number}, its record says ${streamNumberOf(bytes)}`);
  const indexed = snapshot.get(snapshot.events, eventKey(number, revision));
  if (indexed?.length !== 8) throw new Damage({ ...place, table: 'events' }, 'the index does not find the record');
  if (numberOf(indexed) !== position)
    throw new Damage({ ...place, table: 'events' }, `the index leads to position ${numberOf(indexed)}`);
};
