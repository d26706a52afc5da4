/**
 * A stored event: a header of ours, then the protocol's `RecordedEvent` message ready to be sent, so that reading copies
 * bytes and never encodes.
 *
 *     0 crc32 of the rest   4 created (ms since 1970)  12 stream number  20 revision (int64)
 *     28 name offset  32 name length  36 type offset  40 type length  44 data length  48 RecordedEvent…
 */
import { crc32 } from 'node:zlib';
import {
  fieldLength,
  readUint64,
  varintLength,
  writeField,
  writeFieldHeader,
  writeUint64,
  writeVarintField,
} from './binary-encoding';

export const headerBytes = 48;
/** `UUID{string}` as the first field, so that the structured form can replace it without decoding. */
const idFieldBytes = 40;

export interface NewRecord {
  /** UUID in lower case. */
  readonly id: string;
  readonly type: string;
  readonly json: boolean;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

export interface Placement {
  readonly stream: Buffer;
  readonly streamNumber: number;
  /** `tombstoneRevision` for a tombstone. */
  readonly revision: number;
  readonly position: number;
  readonly created: number;
}

/** Represents int64's maximum, which a number cannot hold. */
export const tombstoneRevision = Number.POSITIVE_INFINITY;
const int64Maximum = Buffer.from('7fffffffffffffff', 'hex');
const maximumVarint = Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);

const contentTypes = { json: Buffer.from('application/json'), binary: Buffer.from('application/octet-stream') };
const mapKeys = {
  type: Buffer.from('type'),
  created: Buffer.from('created'),
  contentType: Buffer.from('content-type'),
};

const entryLength = (key: Buffer, value: Buffer): number => fieldLength(key.length) + fieldLength(value.length);

const writeEntry = (target: Buffer, offset: number, key: Buffer, value: Buffer): number => {
  const at = writeFieldHeader(target, offset, 0x32, entryLength(key, value));
  return writeField(target, writeField(target, at, 0x0a, key), 0x12, value);
};

const revisionLength = (revision: number): number =>
  revision === tombstoneRevision ? maximumVarint.length : varintLength(revision);

const writeRevision = (target: Buffer, offset: number, revision: number): number => {
  if (revision !== tombstoneRevision) return writeVarintField(target, offset, 0x18, revision);
  target[offset] = 0x18;
  target.set(maximumVarint, offset + 1);
  return offset + 1 + maximumVarint.length;
};

export const encodeRecord = (event: NewRecord, placement: Placement): Buffer => {
  const { stream, streamNumber, revision, position, created } = placement;
  const type = Buffer.from(event.type);
  const ticks = Buffer.from(`${created}0000`);
  const contentType = event.json ? contentTypes.json : contentTypes.binary;
  const entries = [
    [mapKeys.type, type],
    [mapKeys.created, ticks],
    [mapKeys.contentType, contentType],
  ] as const;
  const size =
    headerBytes +
    idFieldBytes +
    fieldLength(fieldLength(stream.length)) +
    1 +
    revisionLength(revision) +
    2 * (1 + varintLength(position)) +
    entries.reduce((sum, [key, value]) => sum + fieldLength(entryLength(key, value)), 0) +
    fieldLength(event.metadata.length) +
    fieldLength(event.data.length);
  const record = Buffer.allocUnsafe(size);
  record.writeDoubleBE(created, 4);
  record.writeDoubleBE(streamNumber, 12);
  if (revision === tombstoneRevision) record.set(int64Maximum, 20);
  else writeUint64(record, revision, 20);
  let at = writeFieldHeader(record, headerBytes, 0x0a, 38);
  at = writeFieldHeader(record, at, 0x12, 36);
  at += record.write(event.id, at, 'latin1');
  at = writeFieldHeader(record, at, 0x12, fieldLength(stream.length));
  at = writeField(record, at, 0x1a, stream);
  record.writeUInt32BE(at - stream.length, 28);
  record.writeUInt32BE(stream.length, 32);
  at = writeRevision(record, at, revision);
  at = writeVarintField(record, at, 0x20, position);
  at = writeVarintField(record, at, 0x28, position);
  for (const [key, value] of entries) {
    at = writeEntry(record, at, key, value);
    if (key !== mapKeys.type) continue;
    record.writeUInt32BE(at - type.length, 36);
    record.writeUInt32BE(type.length, 40);
  }
  at = writeField(record, at, 0x3a, event.metadata);
  at = writeField(record, at, 0x42, event.data);
  record.writeUInt32BE(event.data.length, 44);
  record.writeUInt32BE(crc32(record.subarray(4)), 0);
  return record;
};

/** A stored record: views into its bytes, nothing decoded. */
export interface StoredRecord {
  readonly position: number;
  readonly bytes: Buffer;
  /** The reply of a cached record, encoded once for all subscribers. */
  readonly shared?: { reply?: Buffer };
}

export const isIntact = (bytes: Buffer): boolean =>
  bytes.length > headerBytes && crc32(bytes.subarray(4)) === bytes.readUInt32BE(0);

export const createdOf = (bytes: Buffer): number => bytes.readDoubleBE(4);
export const streamNumberOf = (bytes: Buffer): number => bytes.readDoubleBE(12);
export const revisionOf = (bytes: Buffer): number =>
  // Other revisions are below 2^53 and never have this upper half.
  bytes.readUInt32BE(20) === 0x7fffffff ? tombstoneRevision : readUint64(bytes, 20);

const slice = (bytes: Buffer, header: number): Buffer => {
  const offset = bytes.readUInt32BE(header);
  return bytes.subarray(offset, offset + bytes.readUInt32BE(header + 4));
};
export const streamOf = (bytes: Buffer): Buffer => slice(bytes, 28);
export const typeOf = (bytes: Buffer): Buffer => slice(bytes, 36);
export const idOf = (bytes: Buffer): string => bytes.toString('latin1', headerBytes + 4, headerBytes + idFieldBytes);

/** Offsets and lengths according to the header. */
export const headerSpansOf = (bytes: Buffer) => ({
  id: { at: headerBytes + 4, bytes: idFieldBytes - 4 },
  stream: { at: bytes.readUInt32BE(28), bytes: bytes.readUInt32BE(32) },
  type: { at: bytes.readUInt32BE(36), bytes: bytes.readUInt32BE(40) },
  data: { at: bytes.length - bytes.readUInt32BE(44), bytes: bytes.readUInt32BE(44) },
});

/** The event's data, at the end of the record. */
export const dataOf = (bytes: Buffer): Buffer => bytes.subarray(bytes.length - bytes.readUInt32BE(44));

/** The `RecordedEvent` message with the id as text. */
export const messageOf = (bytes: Buffer): Buffer => bytes.subarray(headerBytes);
/** The same without the id field. */
export const messageWithoutId = (bytes: Buffer): Buffer => bytes.subarray(headerBytes + idFieldBytes);
