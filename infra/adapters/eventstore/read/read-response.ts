/**
 * A reply of Read as one of our events, read off its bytes: replaying decodes millions of them, and the generated messages make
 * ten objects of each. Field numbers: EventStoreDB's streams.proto and shared.proto.
 */
import type { StoredEvent } from '../../../ports/event-store';
import { type Cursor, find, inside, skip, textIn, textOf, varint } from '../protobuf-fields';

/** Replies that hold no event: positions of streams and the like. */
export const noEvent = Symbol('no event');
export type ReadReply = StoredEvent | typeof noEvent;

interface RecordedBytes {
  id: string;
  stream: string;
  revision: number;
  position: bigint;
  type: string;
  isJson: boolean;
  data: Cursor;
  metadata: Cursor | undefined;
}

const empty: Cursor = { bytes: Buffer.alloc(0), at: 0, end: 0 };

const note = (recorded: RecordedBytes, entry: Cursor): void => {
  const key = textIn(entry, 1);
  if (key === 'type') recorded.type = textIn(entry, 2);
  if (key === 'content-type') recorded.isJson = textIn(entry, 2) === 'application/json';
};

/** By tag: the field's number, and whether it has a length (2) or is a number (0). */
const take = (recorded: RecordedBytes, cursor: Cursor, tag: number): void => {
  if (tag === 0x0a) recorded.id = textIn(inside(cursor), 2);
  else if (tag === 0x12) recorded.stream = textIn(inside(cursor), 3);
  else if (tag === 0x18) recorded.revision = Number(varint(cursor));
  else if (tag === 0x28) recorded.position = BigInt(varint(cursor));
  else if (tag === 0x32) note(recorded, inside(cursor));
  else if (tag === 0x3a) recorded.metadata = inside(cursor);
  else if (tag === 0x42) recorded.data = inside(cursor);
  else skip(cursor, tag);
};

/** No spreading here: it costs more than all of the reading. */
const blank = (): RecordedBytes => ({
  id: '',
  stream: '',
  revision: 0,
  position: 0n,
  type: '',
  isJson: false,
  data: empty,
  metadata: undefined,
});

const recordedIn = (cursor: Cursor): RecordedBytes => {
  const recorded = blank();
  while (cursor.at < cursor.end) take(recorded, cursor, Number(varint(cursor)));
  return recorded;
};

/** Something else where that is no JSON, as the official client answers. */
const parsed = (part: Cursor, otherwise: (part: Cursor) => unknown): unknown => {
  try {
    return JSON.parse(textOf(part));
  } catch {
    return otherwise(part);
  }
};

const copyOf = ({ bytes, at, end }: Cursor): Uint8Array => Uint8Array.from(bytes.subarray(at, end));

export const readReply = (bytes: Buffer): ReadReply => {
  const answer = find({ bytes, at: 0, end: bytes.length }, 1);
  const event = answer && find(answer, 1);
  if (event === undefined) return noEvent;
  const recorded = recordedIn(event);
  const { id, stream, revision, position, type } = recorded;
  const data = recorded.isJson ? parsed(recorded.data, textOf) : copyOf(recorded.data);
  const metadata = recorded.metadata && parsed(recorded.metadata, copyOf);
  return { id, stream, revision, position, type, data, metadata };
};
