/** Writes and reads protobuf fields as bytes, without objects in between, for frequent calls. Numbers up to 2^53. */

const varintLength = (value: number): number => {
  let length = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) length += 1;
  return length;
};

const writeVarint = (target: Buffer, offset: number, value: number): number => {
  let at = offset;
  let rest = value;
  while (rest >= 0x80) {
    target[at] = (rest % 0x80) | 0x80;
    rest = Math.floor(rest / 0x80);
    at += 1;
  }
  target[at] = rest;
  return at + 1;
};

export const field = (tag: number, bytes: Uint8Array): Buffer => {
  const made = Buffer.allocUnsafe(1 + varintLength(bytes.length) + bytes.length);
  made[0] = tag;
  made.set(bytes, writeVarint(made, 1, bytes.length));
  return made;
};

export const textField = (tag: number, value: string): Buffer => field(tag, Buffer.from(value));

/** A message within a message. */
export const nested = (tag: number, ...parts: readonly Uint8Array[]): Buffer => field(tag, Buffer.concat(parts));

export const numberField = (tag: number, value: number): Buffer => {
  const made = Buffer.allocUnsafe(1 + varintLength(value));
  made[0] = tag;
  writeVarint(made, 1, value);
  return made;
};

export interface Cursor {
  readonly bytes: Buffer;
  readonly end: number;
  at: number;
}

const truncated = (): Error => new Error('A reply of the event store ends in the middle of a field.');

const longVarint = (cursor: Cursor): bigint => {
  let value = 0n;
  for (let shift = 0n; cursor.at < cursor.end && shift < 70n; shift += 7n) {
    const byte = cursor.bytes[cursor.at] as number;
    cursor.at += 1;
    value += BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  throw truncated();
};

/** Numbers of up to 49 bits do without a BigInt: nearly all of them. */
const shortBytes = 7;

export const varint = (cursor: Cursor): number | bigint => {
  const start = cursor.at;
  let value = 0;
  let factor = 1;
  while (cursor.at < cursor.end && cursor.at - start < shortBytes) {
    const byte = cursor.bytes[cursor.at] as number;
    cursor.at += 1;
    value += (byte & 0x7f) * factor;
    if (byte < 0x80) return value;
    factor *= 128;
  }
  cursor.at = start;
  return longVarint(cursor);
};

const lengthDelimited = 2;
const fixedBytes: { readonly [wire: number]: number } = { 1: 8, 5: 4 };

const lengthOf = (cursor: Cursor, wire: number): number => {
  if (wire === 0) {
    varint(cursor);
    return 0;
  }
  if (wire === lengthDelimited) return Number(varint(cursor));
  return fixedBytes[wire] ?? Number.POSITIVE_INFINITY;
};

/** Skips the field whose tag was read. */
export const skip = (cursor: Cursor, tag: number): void => {
  const length = lengthOf(cursor, tag & 7);
  cursor.at += length;
  if (cursor.at > cursor.end) throw truncated();
};

/** Cursor into the message of the field whose tag was read. */
export const inside = (cursor: Cursor): Cursor => {
  const length = Number(varint(cursor));
  const inner = { bytes: cursor.bytes, at: cursor.at, end: cursor.at + length };
  if (inner.end > cursor.end) throw truncated();
  cursor.at = inner.end;
  return inner;
};

/** The next field of that number that has a length. */
export const find = (cursor: Cursor, field: number): Cursor | undefined => {
  while (cursor.at < cursor.end) {
    const tag = Number(varint(cursor));
    if (tag === ((field << 3) | lengthDelimited)) return inside(cursor);
    skip(cursor, tag);
  }
  return undefined;
};

export const textOf = ({ bytes, at, end }: Cursor): string => bytes.toString('utf8', at, end);

export const textIn = (cursor: Cursor, field: number): string => {
  const found = find(cursor, field);
  return found === undefined ? '' : textOf(found);
};
