/** ASN.1's distinguished encoding, as much of it as a certificate needs. */

export type Der = Buffer;

const lengthBytes = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  const hex = length.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
};

export const tagged = (tag: number, ...contents: readonly Uint8Array[]): Der => {
  const length = contents.reduce((sum, content) => sum + content.length, 0);
  return Buffer.concat([Buffer.from([tag]), lengthBytes(length), ...contents]);
};

export const sequence = (...parts: readonly Der[]): Der => tagged(0x30, ...parts);
export const setOf = (part: Der): Der => tagged(0x31, part);
export const octets = (bytes: Uint8Array): Der => tagged(0x04, bytes);
/** Whole bytes unless `unused` of the last bits are to be ignored. */
export const bits = (bytes: Uint8Array, unused = 0): Der => tagged(0x03, Buffer.from([unused]), bytes);
export const text = (value: string): Der => tagged(0x0c, Buffer.from(value));
export const yes: Der = tagged(0x01, Buffer.from([0xff]));
export const nothing: Der = tagged(0x05);

/** Of a positive number, most significant byte first. */
export const integer = (bytes: Uint8Array): Der => {
  const from = bytes.findIndex((byte) => byte !== 0);
  const shortest = from < 0 ? Buffer.from([0]) : bytes.subarray(from);
  return (shortest[0] as number) >= 0x80 ? tagged(0x02, Buffer.from([0]), shortest) : tagged(0x02, shortest);
};

const arc = (value: number): readonly number[] => {
  const bytes = [value & 0x7f];
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) bytes.unshift((rest & 0x7f) | 0x80);
  return bytes;
};

export const identifier = (dotted: string): Der => {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(0x06, Buffer.from([...arc(first * 40 + second), ...rest.flatMap(arc)]));
};

/** RFC 5280: two digits for the year up to 2049. */
export const time = (date: Date): Der => {
  const digits = `${date.toISOString().replaceAll(/[-:T]|\.\d+Z/g, '')}Z`;
  return date.getUTCFullYear() < 2050 ? tagged(0x17, Buffer.from(digits.slice(2))) : tagged(0x18, Buffer.from(digits));
};

export interface Element {
  readonly tag: number;
  readonly content: Buffer;
  /** The whole of it, header included. */
  readonly der: Der;
}

/** The elements that follow one another; for certificates that OpenSSL has accepted, so nothing is checked again. */
export const elements = (bytes: Buffer): readonly Element[] => {
  const found: Element[] = [];
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at + 1] ?? 0;
    const lengthLength = first < 0x80 ? 0 : first & 0x7f;
    const length = lengthLength === 0 ? first : bytes.readUIntBE(at + 2, lengthLength);
    const start = at + 2 + lengthLength;
    found.push({
      tag: bytes[at] ?? 0,
      content: bytes.subarray(start, start + length),
      der: bytes.subarray(at, start + length),
    });
    at = start + length;
  }
  return found;
};
