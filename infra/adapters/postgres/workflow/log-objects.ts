/**
 * The log of an attempt as one object: a record of fixed length per chunk, then the payloads as they were stored. A page is read by two
 * ranges of it, so that memory is bounded whatever the length of the log.
 */
import { buffer } from 'node:stream/consumers';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import { fault } from '../../../../domain/kernel/rejection';
import type { BlobStore, ByteRange } from '../../../ports/blob-store';
import type { LogLocation, LogStoreFault, StoredChunk } from '../../../ports/workflow/log-store';

export interface ChunkSpan {
  readonly from: number;
  /** Exclusive. */
  readonly before: number;
  readonly maxBytes: number;
  /** Where the page begins if it cannot hold all. */
  readonly end: 'first' | 'last';
}

/** What is known of a chunk besides its payload. Ends are of everything up to and with it. */
export interface ChunkRecord {
  readonly byteEnd: number;
  readonly payloadEnd: number;
  readonly lineEnd: number;
  readonly emittedAt: Instant;
  readonly encoding: StoredChunk['encoding'];
  readonly checksum: StoredChunk['checksum'];
}

const recordBytes = 72;
const checksumPrefix = 'sha256:';

export const encodeRecords = (records: readonly ChunkRecord[]): Buffer => {
  const bytes = Buffer.alloc(records.length * recordBytes);
  records.forEach(({ byteEnd, payloadEnd, lineEnd, emittedAt, encoding, checksum }, index) => {
    const at = index * recordBytes;
    [byteEnd, payloadEnd, lineEnd, Date.parse(emittedAt)].forEach((value, field) => {
      bytes.writeDoubleBE(value, at + field * 8);
    });
    bytes.writeUInt8(encoding === 'gzip' ? 1 : 0, at + 32);
    bytes.write(checksum.slice(checksumPrefix.length), at + 40, 'hex');
  });
  return bytes;
};

const decodeRecords = (bytes: Buffer): readonly ChunkRecord[] =>
  Array.from({ length: bytes.length / recordBytes }, (_, index) => {
    const at = index * recordBytes;
    return {
      byteEnd: bytes.readDoubleBE(at),
      payloadEnd: bytes.readDoubleBE(at + 8),
      lineEnd: bytes.readDoubleBE(at + 16),
      emittedAt: new Date(bytes.readDoubleBE(at + 24)).toISOString() as Instant,
      encoding: bytes.readUInt8(at + 32) === 1 ? 'gzip' : 'plain',
      checksum: `${checksumPrefix}${bytes.toString('hex', at + 40, at + recordBytes)}` as StoredChunk['checksum'],
    };
  });

export const logObjectKey = ({ tenantId, jobId, attempt }: LogLocation): string =>
  `workflow/${tenantId}/logs/${jobId}/${attempt}`;

type Read<Value> = Promise<Either<LogStoreFault, Value>>;

const readRange = async (blobs: Pick<BlobStore, 'get'>, key: string, range: ByteRange): Read<Buffer> => {
  const content = await blobs.get({ key, range });
  if (isLeft(content)) return left(fault('log-store-unavailable', content.left.detail));
  return right(await buffer(content.right.body));
};

export interface LogObject {
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly log: LogLocation;
  /** How many there are. */
  readonly chunks: number;
}

const readRecords = async (object: LogObject, from: number, before: number): Read<readonly ChunkRecord[]> => {
  if (from >= before) return right([]);
  const range = { first: from * recordBytes, last: before * recordBytes - 1 };
  const bytes = await readRange(object.blobs, logObjectKey(object.log), range);
  return isLeft(bytes) ? bytes : right(decodeRecords(bytes.right));
};

const beginning: Pick<ChunkRecord, 'byteEnd' | 'payloadEnd' | 'lineEnd'> = { byteEnd: 0, payloadEnd: 0, lineEnd: 0 };
const pageChunks = 256;

interface LocatedChunk extends Omit<StoredChunk, 'payload'> {
  readonly payloadStart: number;
  readonly payloadEnd: number;
}

/** In order. `before`: the record of the chunk before the first. */
const locate = (from: number, before: typeof beginning, records: readonly ChunkRecord[]): readonly LocatedChunk[] =>
  records.map(({ lineEnd: _, ...record }, index) => {
    const previous = records[index - 1] ?? before;
    return {
      ...record,
      chunkOffset: from + index,
      byteStart: previous.byteEnd,
      lineStart: previous.lineEnd,
      payloadStart: previous.payloadEnd,
    };
  });

const bytesIn = (chunks: readonly LocatedChunk[]): number =>
  (chunks.at(-1)?.byteEnd ?? 0) - (chunks[0]?.byteStart ?? 0);

/** At least one, and as many more as `maxBytes` hold. */
const fitting = (chunks: readonly LocatedChunk[], { maxBytes, end }: ChunkSpan): readonly LocatedChunk[] => {
  let count = Math.min(1, chunks.length);
  const taken = (size: number) => (end === 'first' ? chunks.slice(0, size) : chunks.slice(-size));
  while (count < chunks.length && bytesIn(taken(count + 1)) <= maxBytes) count += 1;
  return count === 0 ? [] : taken(count);
};

export const readLogObject = async (object: LogObject, span: ChunkSpan): Read<readonly StoredChunk[]> => {
  const { from: wanted, before, end } = span;
  const from = end === 'first' ? wanted : Math.max(wanted, before - pageChunks);
  const until = end === 'first' ? Math.min(before, wanted + pageChunks) : before;
  const records = await readRecords(object, Math.max(0, from - 1), until);
  if (isLeft(records)) return records;
  const located =
    from === 0
      ? locate(0, beginning, records.right)
      : locate(from, records.right[0] ?? beginning, records.right.slice(1));
  const page = fitting(located, span);
  const [first, last] = [page[0], page.at(-1)];
  if (first === undefined || last === undefined) return right([]);
  const base = object.chunks * recordBytes;
  const range = { first: base + first.payloadStart, last: base + last.payloadEnd - 1 };
  const bytes = await readRange(object.blobs, logObjectKey(object.log), range);
  if (isLeft(bytes)) return bytes;
  return right(
    page.map(({ payloadStart, payloadEnd, ...chunk }) => ({
      ...chunk,
      payload: bytes.right.subarray(payloadStart - first.payloadStart, payloadEnd - first.payloadStart),
    })),
  );
};

const blockChunks = 4_096;

/** The chunk that has the byte; the last one where there are fewer. */
export const findInLogObject = async (object: LogObject, byte: number): Read<number> => {
  let [low, high] = [0, object.chunks - 1];
  while (high - low >= blockChunks) {
    const middle = Math.floor((low + high) / 2);
    const record = await readRecords(object, middle, middle + 1);
    if (isLeft(record)) return record;
    if ((record.right[0]?.byteEnd ?? 0) > byte) high = middle;
    else low = middle + 1;
  }
  const records = await readRecords(object, low, high + 1);
  if (isLeft(records)) return records;
  const found = records.right.findIndex(({ byteEnd }) => byteEnd > byte);
  return right(found < 0 ? high : low + found);
};
