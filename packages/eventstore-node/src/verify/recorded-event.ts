/**
 * Parses a stored `RecordedEvent` as a client would, to compare it with the header that the node uses. Returns offsets
 * instead of values, because this runs for every event.
 */

export interface Span {
  at: number;
  bytes: number;
}

export interface RecordedEventSpans {
  readonly id: Span;
  readonly stream: Span;
  readonly type: Span;
  readonly created: Span;
  readonly contentType: Span;
  readonly data: Span;
  revision: number;
  commit: number;
  prepare: number;
}

interface Cursor {
  readonly bytes: Buffer;
  at: number;
}

const varint = (cursor: Cursor): number => {
  let value = 0;
  let scale = 1;
  for (let length = 0; length < 10; length += 1) {
    const byte = cursor.bytes[cursor.at];
    if (byte === undefined) break;
    cursor.at += 1;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return value;
    scale *= 0x80;
  }
  throw new RangeError('varint');
};

/** A length-delimited field that ends before `end`. */
const enter = (cursor: Cursor, end: number): number => {
  const length = varint(cursor);
  if (cursor.at + length > end) throw new RangeError('length');
  return length;
};

const readSpan = (cursor: Cursor, span: Span, end: number): void => {
  span.bytes = enter(cursor, end);
  span.at = cursor.at;
  cursor.at += span.bytes;
};

const expectTag = (cursor: Cursor, tag: number): void => {
  if (cursor.bytes[cursor.at] !== tag) throw new RangeError('tag');
  cursor.at += 1;
};

/** A message with one field. */
const readOnly = (cursor: Cursor, tag: number, span: Span): void => {
  const length = enter(cursor, cursor.bytes.length);
  const end = cursor.at + length;
  expectTag(cursor, tag);
  readSpan(cursor, span, end);
  if (cursor.at !== end) throw new RangeError('rest');
};

const entrySpans = { type: 'type', created: 'created', 'content-type': 'contentType' } as const;

const readEntry = (cursor: Cursor, message: RecordedEventSpans): void => {
  const length = enter(cursor, cursor.bytes.length);
  const end = cursor.at + length;
  expectTag(cursor, 0x0a);
  const nameBytes = enter(cursor, end);
  const name = cursor.bytes.toString('latin1', cursor.at, cursor.at + nameBytes);
  if (!Object.hasOwn(entrySpans, name)) throw new RangeError('entry');
  cursor.at += nameBytes;
  expectTag(cursor, 0x12);
  readSpan(cursor, message[entrySpans[name as keyof typeof entrySpans]], end);
  if (cursor.at !== end) throw new RangeError('rest');
};

const nothing = (): Span => ({ at: 0, bytes: 0 });

const readField = (message: RecordedEventSpans, tag: number | undefined, cursor: Cursor): void => {
  if (tag === 0x0a) readOnly(cursor, 0x12, message.id);
  else if (tag === 0x12) readOnly(cursor, 0x1a, message.stream);
  else if (tag === 0x18) message.revision = varint(cursor);
  else if (tag === 0x20) message.prepare = varint(cursor);
  else if (tag === 0x28) message.commit = varint(cursor);
  else if (tag === 0x32) readEntry(cursor, message);
  else if (tag === 0x3a) readSpan(cursor, nothing(), cursor.bytes.length);
  else if (tag === 0x42) readSpan(cursor, message.data, cursor.bytes.length);
  else throw new RangeError('field');
};

const empty = (): RecordedEventSpans => ({
  id: nothing(),
  stream: nothing(),
  type: nothing(),
  created: nothing(),
  contentType: nothing(),
  data: nothing(),
  revision: 0,
  commit: 0,
  prepare: 0,
});

const int64Maximum = 2 ** 63;

/** Parses from there to the end of the bytes. Undefined when it is not such a message. */
export const parseRecordedEvent = (bytes: Buffer, from: number): RecordedEventSpans | undefined => {
  const message = empty();
  const cursor: Cursor = { bytes, at: from };
  try {
    while (cursor.at < bytes.length) {
      const tag = bytes[cursor.at];
      cursor.at += 1;
      readField(message, tag, cursor);
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  if (message.revision === int64Maximum) message.revision = Number.POSITIVE_INFINITY;
  return message;
};
