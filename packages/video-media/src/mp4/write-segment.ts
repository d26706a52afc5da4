/** Writes CMAF (ISO 23000-19): one init segment per track, and media segments whose chunks each begin with a keyframe. */
import { box, fullBox, readBoxes, uint32s } from './boxes';
import { presentationTime, type Sample, type Track } from './track';

const brands = (...names: readonly string[]): Buffer => Buffer.from(names.join(''), 'latin1');

/** Without edit lists, which browsers heed differently, and without tags. */
const trackOf = (content: Buffer): Buffer =>
  box(
    'trak',
    ...readBoxes(content)
      .filter(({ type }) => type === 'tkhd' || type === 'mdia')
      .map(({ type, content: child }) => box(type, child)),
  );

export const initSegment = ({ movie }: Track): Buffer =>
  Buffer.concat([
    box('ftyp', brands('iso6'), uint32s(0), brands('iso6', 'cmfc')),
    box(
      'moov',
      ...readBoxes(movie)
        .filter(({ type }) => type === 'mvhd' || type === 'trak' || type === 'mvex')
        .map(({ type, content }) => (type === 'trak' ? trackOf(content) : box(type, content))),
    ),
  ]);

/** Depends on none; and: depends on others, is no sync sample (ISO 14496-12, section 8.8.3.1). */
const sampleFlags = { sync: 0x02000000, other: 0x01010000 } as const;

const uint64 = (value: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(value));
  return bytes;
};

/** Sample duration, size, flags, composition offset; data offset. */
const runFlags = 0x100 | 0x200 | 0x400 | 0x800 | 1;
const defaultBaseIsMoof = 0x020000;

const fragmentHeader = (
  samples: readonly Sample[],
  {
    sequence,
    trackId,
    decodeTime,
  }: { readonly sequence: number; readonly trackId: number; readonly decodeTime: number },
): Buffer => {
  const rows = Buffer.alloc(samples.length * 16);
  for (const [index, { duration, size, isSync, compositionOffset }] of samples.entries()) {
    rows.writeUInt32BE(duration, index * 16);
    rows.writeUInt32BE(size, index * 16 + 4);
    rows.writeUInt32BE(isSync ? sampleFlags.sync : sampleFlags.other, index * 16 + 8);
    rows.writeInt32BE(compositionOffset, index * 16 + 12);
  }
  const withOffset = (dataOffset: number): Buffer =>
    box(
      'moof',
      fullBox('mfhd', { version: 0, flags: 0 }, uint32s(sequence)),
      box(
        'traf',
        fullBox('tfhd', { version: 0, flags: defaultBaseIsMoof }, uint32s(trackId)),
        fullBox('tfdt', { version: 1, flags: 0 }, uint64(decodeTime)),
        fullBox('trun', { version: 1, flags: runFlags }, uint32s(samples.length, dataOffset), rows),
      ),
    );
  return withOffset(withOffset(0).length + 8);
};

export interface SegmentKeyframe {
  /** Of the bytes that a player needs to show it: its chunk's header, and the picture. */
  readonly offset: number;
  readonly size: number;
  /** Presentation time, in ticks. */
  readonly startTicks: number;
}

interface WrittenSegment {
  readonly bytes: Buffer;
  readonly keyframes: readonly SegmentKeyframe[];
}

interface SegmentContent {
  readonly track: Pick<Track, 'kind' | 'trackId'>;
  readonly samples: readonly Sample[];
  /** Counts chunks of the track, from 1 on. */
  readonly firstSequence: number;
  /** Added to times. */
  readonly shiftTicks: number;
  /** Reads a sample's bytes. */
  readonly bytesOf: (sample: Sample) => Buffer;
}

/** Sound is one chunk; pictures are one per keyframe. */
export const chunksOf = (kind: Track['kind'], samples: readonly Sample[]): readonly (readonly Sample[])[] => {
  const chunks: Sample[][] = [];
  for (const sample of samples) {
    const last = chunks.at(-1);
    if (last === undefined || (kind === 'video' && sample.isSync)) chunks.push([sample]);
    else last.push(sample);
  }
  return chunks;
};

export const writeSegment = ({
  track,
  samples,
  firstSequence,
  shiftTicks,
  bytesOf,
}: SegmentContent): WrittenSegment => {
  const parts: Buffer[] = [box('styp', brands('msdh'), uint32s(0), brands('msdh', 'cmfs'))];
  const keyframes: SegmentKeyframe[] = [];
  let written = parts[0]?.length ?? 0;
  for (const [index, chunk] of chunksOf(track.kind, samples).entries()) {
    const [first] = chunk;
    if (first === undefined) continue;
    const header = fragmentHeader(chunk, {
      sequence: firstSequence + index,
      trackId: track.trackId,
      decodeTime: first.decodeTime + shiftTicks,
    });
    const data = box('mdat', ...chunk.map(bytesOf));
    if (track.kind === 'video' && first.isSync)
      keyframes.push({
        offset: written,
        size: header.length + 8 + first.size,
        startTicks: presentationTime(first) + shiftTicks,
      });
    parts.push(header, data);
    written += header.length + data.length;
  }
  return { bytes: Buffer.concat(parts), keyframes };
};
