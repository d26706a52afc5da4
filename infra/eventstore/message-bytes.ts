/** Fields of a protobuf message, read off its bytes without copying them. */

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

/** The field whose tag was read is not wanted. */
export const skip = (cursor: Cursor, tag: number): void => {
  const length = lengthOf(cursor, tag & 7);
  cursor.at += length;
  if (cursor.at > cursor.end) throw truncated();
};

/** What is nested in the field whose tag was read. */
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
