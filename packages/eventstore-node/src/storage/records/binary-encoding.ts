/** Protobuf wire format for the few messages of the hot path, and 64-bit numbers up to 2^53. */

export const varintLength = (value: number): number => {
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

/** Length of a length-delimited field with a one-byte tag. */
export const fieldLength = (bytes: number): number => 1 + varintLength(bytes) + bytes;

export const writeField = (target: Buffer, offset: number, tag: number, bytes: Uint8Array): number => {
  target[offset] = tag;
  const at = writeVarint(target, offset + 1, bytes.length);
  target.set(bytes, at);
  return at + bytes.length;
};

export const writeFieldHeader = (target: Buffer, offset: number, tag: number, length: number): number => {
  target[offset] = tag;
  return writeVarint(target, offset + 1, length);
};

export const writeVarintField = (target: Buffer, offset: number, tag: number, value: number): number => {
  target[offset] = tag;
  return writeVarint(target, offset + 1, value);
};

const halfRange = 2 ** 32;

/** Written in halves, because a BigInt per number would be garbage to collect. */
export const writeUint64 = (target: Buffer, value: number, offset: number): void => {
  target.writeUInt32BE(Math.floor(value / halfRange), offset);
  target.writeUInt32BE(value >>> 0, offset + 4);
};

export const readUint64 = (source: Buffer, offset: number): number =>
  source.readUInt32BE(offset) * halfRange + source.readUInt32BE(offset + 4);
