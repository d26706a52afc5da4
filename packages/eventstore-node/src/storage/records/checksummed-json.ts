/** JSON with a checksum of its own as its last field, for what nothing else could be held against. */
import { crc32 } from 'node:zlib';

type Fields = Readonly<Record<string, unknown>>;

export const encodeChecksummed = (fields: object): Buffer =>
  Buffer.from(JSON.stringify({ ...fields, crc: crc32(JSON.stringify(fields)) }));

/** The fields alone. */
export const decodeChecksummed = (stored: Buffer): unknown => {
  const { crc: _, ...fields } = JSON.parse(stored.toString('utf8')) as Fields;
  return fields;
};

/** Whether it is what was written, to the byte. What was stored before there were checksums has none. */
export const hasValidChecksum = (stored: Buffer): boolean => {
  const { crc, ...fields } = JSON.parse(stored.toString('utf8')) as Fields;
  return crc === undefined || encodeChecksummed(fields).equals(stored);
};
