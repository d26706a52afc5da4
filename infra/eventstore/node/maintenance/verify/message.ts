/** Reads a stored `RecordedEvent` as a client would, to hold it against the header that the node goes by. */

export interface Message {
  readonly id: Buffer;
  readonly stream: Buffer;
  readonly revision: number;
  readonly commit: number;
  readonly prepare: number;
  readonly entries: Readonly<Record<string, string>>;
  readonly dataBytes: number;
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

const field = (cursor: Cursor): Buffer => {
  const length = varint(cursor);
  const end = cursor.at + length;
  if (end > cursor.bytes.length) throw new RangeError('length');
  const bytes = cursor.bytes.subarray(cursor.at, end);
  cursor.at = end;
  return bytes;
};

/** The one field of a message that has no other. */
const onlyField = (bytes: Buffer, tag: number): Buffer => {
  const cursor = { bytes, at: 1 };
  if (bytes[0] !== tag) throw new RangeError('tag');
  const inner = field(cursor);
  if (cursor.at !== bytes.length) throw new RangeError('rest');
  return inner;
};

const entryOf = (bytes: Buffer): readonly [string, string] => {
  const cursor = { bytes, at: 0 };
  const texts: string[] = [];
  for (const tag of [0x0a, 0x12]) {
    if (bytes[cursor.at] !== tag) throw new RangeError('entry');
    cursor.at += 1;
    texts.push(field(cursor).toString('utf8'));
  }
  return [texts[0] ?? '', texts[1] ?? ''];
};

const empty = Buffer.alloc(0);
const int64Maximum = 2 ** 63;

type Fields = { -readonly [Field in keyof Message]: Message[Field] } & { entries: Record<string, string> };

const readField = (fields: Fields, tag: number, cursor: Cursor): void => {
  if (tag === 0x0a) fields.id = onlyField(field(cursor), 0x12);
  else if (tag === 0x12) fields.stream = onlyField(field(cursor), 0x1a);
  else if (tag === 0x18) fields.revision = varint(cursor);
  else if (tag === 0x20) fields.prepare = varint(cursor);
  else if (tag === 0x28) fields.commit = varint(cursor);
  else if (tag === 0x32) {
    const [name, value] = entryOf(field(cursor));
    fields.entries[name] = value;
  } else if (tag === 0x3a) field(cursor);
  else if (tag === 0x42) fields.dataBytes = field(cursor).length;
  else throw new RangeError('field');
};

/** Undefined when it is no such message. */
export const messageIn = (bytes: Buffer): Message | undefined => {
  const fields: Fields = { id: empty, stream: empty, revision: 0, commit: 0, prepare: 0, entries: {}, dataBytes: 0 };
  const cursor: Cursor = { bytes, at: 0 };
  try {
    while (cursor.at < bytes.length) {
      const tag = bytes[cursor.at] ?? 0;
      cursor.at += 1;
      readField(fields, tag, cursor);
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return fields.revision === int64Maximum ? { ...fields, revision: Number.POSITIVE_INFINITY } : fields;
};
