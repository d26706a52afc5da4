/**
 * Common encryption with AES-CTR (`cenc`, ISO 23001-7), for DASH and ClearKey, of a track that is packaged in the clear. Of pictures the slices are encrypted,
 * and of those not the beginning; of sound all.
 */
import { createCipheriv, createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Box, box, childOf, fullBox, readBoxes, uint32s } from '../mp4/boxes';
import type { PackagedTrack } from '../mp4/package-track';
import { refuseKey, type TrackToProtect, transformFiles } from './protected-track';

export interface ContentKey {
  /** 16 bytes each. */
  readonly keyId: Buffer;
  readonly key: Buffer;
}

const vectorBytes = 8;

/** W3C "cenc" initialization data: the common system that names keys alone. */
const commonSystem = Buffer.from('1077efecc0b24d02ace33c1e52e2fb4b', 'hex');

const keyNames = (keyId: Buffer): Buffer =>
  fullBox('pssh', { version: 1, flags: 0 }, commonSystem, uint32s(1), keyId, uint32s(0));

const protectedEntry = ({ type, content }: Box, keyId: Buffer): Buffer =>
  box(
    type === 'mp4a' ? 'enca' : 'encv',
    content,
    box(
      'sinf',
      box('frma', Buffer.from(type, 'latin1')),
      fullBox('schm', { version: 0, flags: 0 }, Buffer.from('cenc', 'latin1'), uint32s(0x10000)),
      box('schi', fullBox('tenc', { version: 0, flags: 0 }, Buffer.from([0, 0, 1, vectorBytes]), keyId)),
    ),
  );

/** Replaces the box that the path leads to. */
const replaceWithin = (content: Buffer, path: readonly string[], replace: (found: Buffer) => Buffer): Buffer => {
  const [name, ...rest] = path;
  return Buffer.concat(
    readBoxes(content).map((child) => {
      if (child.type !== name) return box(child.type, child.content);
      return rest.length === 0 ? replace(child.content) : box(name, replaceWithin(child.content, rest, replace));
    }),
  );
};

const protectedInit = (bytes: Buffer, keyId: Buffer): Either<string, Buffer> => {
  const movie = childOf(bytes, 'moov');
  const descriptions = childOf(bytes, 'moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd');
  const entry = descriptions === undefined ? undefined : readBoxes(descriptions.subarray(8))[0];
  if (movie === undefined || descriptions === undefined || entry === undefined)
    return left('The init segment has no description of its samples.');
  const replaced = replaceWithin(movie, ['trak', 'mdia', 'minf', 'stbl', 'stsd'], (found) =>
    box('stsd', found.subarray(0, 8), protectedEntry(entry, keyId)),
  );
  const boxes = readBoxes(bytes).map(({ type, content }) =>
    type === 'moov' ? box('moov', replaced, keyNames(keyId)) : box(type, content),
  );
  return right(Buffer.concat(boxes));
};

/** Bytes of a slice that stay readable: its header, which decoders in hardware read. */
const clearSliceBytes = 112;
const blockBytes = 16;

type NalUnits = 'avc' | 'hevc';

/** H.264, table 7-1; HEVC, table 7-1. */
const isSlice = (first: number, units: NalUnits): boolean =>
  units === 'avc' ? (first & 31) >= 1 && (first & 31) <= 5 : ((first >> 1) & 63) < 32;

interface Subsample {
  readonly clear: number;
  /** A whole number of blocks. */
  readonly encrypted: number;
}

const mostClear = 0xffff;

/** What is clear is counted with 16 bits, so much of it needs several rows. */
const subsamplesOf = (sample: Buffer, units: NalUnits): readonly Subsample[] => {
  const rows: Subsample[] = [];
  let clear = 0;
  const add = (encrypted: number): void => {
    for (; clear > mostClear; clear -= mostClear) rows.push({ clear: mostClear, encrypted: 0 });
    rows.push({ clear, encrypted });
    clear = 0;
  };
  for (let at = 0; at + 5 <= sample.length; ) {
    const size = 4 + sample.readUInt32BE(at);
    const isEncrypted = isSlice(sample[at + 4] ?? 0, units);
    const encrypted = isEncrypted ? Math.floor(Math.max(0, size - clearSliceBytes) / blockBytes) * blockBytes : 0;
    clear += size - encrypted;
    if (encrypted > 0) add(encrypted);
    at += size;
  }
  if (clear > 0 || rows.length === 0) add(0);
  return rows;
};

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 255]);

interface EncryptedSample {
  readonly bytes: Buffer;
  /** Its row in `senc`. */
  readonly row: Buffer;
}

interface SampleEncryption {
  readonly key: Buffer;
  readonly vector: Buffer;
  /** Null: sound. */
  readonly units: NalUnits | null;
}

const encryptSample = (sample: Buffer, { key, vector, units }: SampleEncryption): EncryptedSample => {
  const cipher = createCipheriv('aes-128-ctr', key, Buffer.concat([vector, Buffer.alloc(blockBytes - vectorBytes)]));
  if (units === null) return { bytes: cipher.update(sample), row: vector };
  const subsamples = subsamplesOf(sample, units);
  const parts: Buffer[] = [];
  let at = 0;
  for (const { clear, encrypted } of subsamples) {
    parts.push(sample.subarray(at, at + clear), cipher.update(sample.subarray(at + clear, at + clear + encrypted)));
    at += clear + encrypted;
  }
  const counts = subsamples.map(({ clear, encrypted }) => Buffer.concat([uint16(clear), uint32s(encrypted)]));
  return { bytes: Buffer.concat(parts), row: Buffer.concat([vector, uint16(subsamples.length), ...counts]) };
};

/** As `writeSegment` wrote it: an offset, then rows of duration, size, flags and composition offset. */
const sampleSizes = (run: Buffer): readonly number[] =>
  Array.from({ length: run.readUInt32BE(4) }, (_, index) => run.readUInt32BE(12 + index * 16 + 4));

/** Never twice with one key: it follows from the name of the clear segment, which is its content. */
const vectorOf = (segment: string, sample: number): Buffer =>
  createHash('sha256').update(`cenc:${segment}:${sample}`).digest().subarray(0, vectorBytes);

interface ChunkEncryption {
  readonly key: Buffer;
  readonly units: NalUnits | null;
  readonly segment: string;
  /** Of the segment, before the chunk. */
  readonly firstSample: number;
}

const encryptChunk = (
  { header, data }: { readonly header: Buffer; readonly data: Buffer },
  { key, units, segment, firstSample }: ChunkEncryption,
): { readonly bytes: Buffer; readonly sampleCount: number } | undefined => {
  const sequence = childOf(header, 'mfhd');
  const fragment = childOf(header, 'traf');
  const run = fragment === undefined ? undefined : childOf(fragment, 'trun');
  if (sequence === undefined || fragment === undefined || run === undefined) return undefined;
  const sizes = sampleSizes(run);
  let at = 0;
  const samples = sizes.map((size, index) => {
    const sample = data.subarray(at, at + size);
    at += size;
    return encryptSample(sample, { key, units, vector: vectorOf(segment, firstSample + index) });
  });
  const rows = samples.map(({ row }) => row);
  // A row of more than 255 bytes has some 40 slices, which no encoder of ours writes.
  if (at !== data.length || rows.some(({ length }) => length > 255)) return undefined;
  const others = readBoxes(fragment).filter(({ type }) => type !== 'trun');
  const headerWith = (dataOffset: number, rowsOffset: number): Buffer => {
    const moved = Buffer.from(run);
    moved.writeUInt32BE(dataOffset, 8);
    const sizesOfRows = Buffer.from([0, ...uint32s(rows.length), ...rows.map(({ length }) => length)]);
    return box(
      'moof',
      box('mfhd', sequence),
      box(
        'traf',
        ...others.map(({ type, content }) => box(type, content)),
        box('trun', moved),
        fullBox('saiz', { version: 0, flags: 0 }, sizesOfRows),
        fullBox('saio', { version: 0, flags: 0 }, uint32s(1, rowsOffset)),
        fullBox('senc', { version: 0, flags: units === null ? 0 : 2 }, uint32s(rows.length), ...rows),
      ),
    );
  };
  // The rows end the header.
  const { length } = headerWith(0, 0);
  const rowsBytes = rows.reduce((sum, row) => sum + row.length, 0);
  const encrypted = headerWith(length + 8, length - rowsBytes);
  return {
    bytes: Buffer.concat([encrypted, box('mdat', ...samples.map(({ bytes }) => bytes))]),
    sampleCount: sizes.length,
  };
};

const protectedSegment = (
  bytes: Buffer,
  { key, units, segment }: Omit<ChunkEncryption, 'firstSample'>,
): Either<string, Buffer> => {
  const parts: Buffer[] = [];
  let header: Buffer | undefined;
  let firstSample = 0;
  for (const { type, content } of readBoxes(bytes)) {
    if (type === 'moof') header = content;
    else if (type === 'mdat' && header !== undefined) {
      const chunk = encryptChunk({ header, data: content }, { key, units, segment, firstSample });
      if (chunk === undefined) return left('A segment is not as this package writes them.');
      parts.push(chunk.bytes);
      firstSample += chunk.sampleCount;
    } else parts.push(box(type, content));
  }
  return right(Buffer.concat(parts));
};

const unitsOf = ({ kind, codec }: PackagedTrack): Either<string, NalUnits | null> => {
  if (kind === 'audio') return right(null);
  if (/^avc[13]\./.test(codec)) return right('avc');
  return /^h(?:vc|ev)1\./.test(codec) ? right('hevc') : left('Pictures of this codec cannot be protected.');
};

/** Left: a sentence about what cannot be protected. */
export const encryptSamples = async (
  source: TrackToProtect,
  { keyId, key }: ContentKey,
): Promise<Either<string, PackagedTrack>> => {
  for (const part of [keyId, key]) {
    const valid = refuseKey(part);
    if (isLeft(valid)) return valid;
  }
  const units = unitsOf(source.track);
  if (isLeft(units)) return units;
  return transformFiles(source, {
    init: (bytes) => protectedInit(bytes, keyId),
    segment: (bytes, segment) => protectedSegment(bytes, { key, units: units.right, segment }),
  });
};
