/** JSON with its own checksum as the last field, for data without another copy to compare with. */
import { crc32 } from 'node:zlib';

type Fields = Readonly<Record<string, unknown>>;

export const encodeChecksummed = (fields: object): Buffer =>
  Buffer.from(JSON.stringify({ ...fields, crc: crc32(JSON.stringify(fields)) }));

/** The fields without the checksum. */
export const decodeChecksummed = (stored: Buffer): unknown => {
  const { crc: _, ...fields } = JSON.parse(stored.toString('utf8')) as Fields;
  return fields;
};

/** Whether the bytes are exactly what was written. Data from before checksums has none and is valid. */
export const hasValidChecksum = (stored: Buffer): boolean => {
  const { crc, ...fields } = JSON.parse(stored.toString('utf8')) as Fields;
  return crc === undefined || encodeChecksummed(fields).equals(stored);
};
