/** Reads the fragmented MP4 of one track that ffmpeg wrote for packaging. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { childOf, readBoxes } from './boxes';
import type { ByteSource } from './byte-source';
import { audioChannels, codecString } from './codec-string';
import type { Sample, Track } from './track';

/** Of `moov` and each `moof`. */
const maxHeaderBytes = 64_000_000;

/** Of the sample's flags: it depends on others. */
const nonSyncFlag = 0x10000;

interface Defaults {
  readonly duration: number;
  readonly size: number;
  readonly flags: number;
}

const flagsOf = (content: Buffer): number => content.readUInt32BE(0) & 0xffffff;

/** Reads 32-bit fields in order, each only where its flag is set. */
const fieldReader = (content: Buffer, start: number) => {
  let at = start;
  return (isPresent: boolean, otherwise: number): number => {
    if (!isPresent) return otherwise;
    at += 4;
    return content.readUInt32BE(at - 4);
  };
};

const trackDefaults = (movie: Buffer): Defaults => {
  const trex = childOf(movie, 'mvex', 'trex');
  if (trex === undefined) return { duration: 0, size: 0, flags: 0 };
  return { duration: trex.readUInt32BE(12), size: trex.readUInt32BE(16), flags: trex.readUInt32BE(20) };
};

const fragmentDefaults = (header: Buffer, defaults: Defaults): Defaults => {
  const flags = flagsOf(header);
  const next = fieldReader(header, 8 + ((flags & 1) === 0 ? 0 : 8));
  next((flags & 2) !== 0, 0);
  return {
    duration: next((flags & 8) !== 0, defaults.duration),
    size: next((flags & 16) !== 0, defaults.size),
    flags: next((flags & 32) !== 0, defaults.flags),
  };
};

const baseDecodeTime = (content: Buffer): number =>
  content[0] === 1 ? Number(content.readBigInt64BE(4)) : content.readUInt32BE(4);

interface Fragment {
  /** Content of the `moof`. */
  readonly content: Buffer;
  /** In the file. */
  readonly offset: number;
}

const samplesOf = ({ content, offset }: Fragment, defaults: Defaults): readonly Sample[] => {
  const samples: Sample[] = [];
  for (const { content: fragment } of readBoxes(content).filter(({ type }) => type === 'traf')) {
    const header = childOf(fragment, 'tfhd');
    const time = childOf(fragment, 'tfdt');
    if (header === undefined || time === undefined) continue;
    const of = fragmentDefaults(header, defaults);
    let decodeTime = baseDecodeTime(time);
    let dataOffset = offset;
    for (const { content: run } of readBoxes(fragment).filter(({ type }) => type === 'trun')) {
      const flags = flagsOf(run);
      const isSigned = run[0] === 1;
      const next = fieldReader(run, 8);
      // Relative to the fragment: the commands set `default_base_moof`.
      dataOffset = (flags & 1) === 0 ? dataOffset : offset + (next(true, 0) | 0);
      const firstFlags = next((flags & 4) !== 0, of.flags);
      const count = run.readUInt32BE(4);
      for (let index = 0; index < count; index++) {
        const duration = next((flags & 0x100) !== 0, of.duration);
        const size = next((flags & 0x200) !== 0, of.size);
        const ownFlags = next((flags & 0x400) !== 0, index === 0 ? firstFlags : of.flags);
        const composition = next((flags & 0x800) !== 0, 0);
        const compositionOffset = isSigned ? composition | 0 : composition;
        const isSync = (ownFlags & nonSyncFlag) === 0;
        samples.push({ offset: dataOffset, size, decodeTime, duration, compositionOffset, isSync });
        decodeTime += duration;
        dataOffset += size;
      }
    }
  }
  return samples;
};

type TrackHeaders = Omit<Track, 'samples'>;

const headersOf = (movie: Buffer): Either<string, TrackHeaders> => {
  const tracks = readBoxes(movie).filter(({ type }) => type === 'trak');
  const track = tracks[0]?.content;
  if (track === undefined || tracks.length > 1) return left('The file has not one track.');
  if (childOf(track, 'edts') !== undefined) return left('The track has an edit list.');
  const handler = childOf(track, 'mdia', 'hdlr')?.toString('latin1', 8, 12);
  const times = childOf(track, 'mdia', 'mdhd');
  const head = childOf(track, 'tkhd');
  const descriptions = childOf(track, 'mdia', 'minf', 'stbl', 'stsd');
  if (times === undefined || head === undefined || descriptions === undefined) return left('The track has no headers.');
  const entry = readBoxes(descriptions.subarray(8))[0]?.content;
  const codec = codecString(descriptions);
  if (entry === undefined || codec === undefined) return left('The codec is not one that films are packaged with.');
  const isVideo = handler === 'vide';
  return right({
    kind: isVideo ? 'video' : 'audio',
    trackId: head.readUInt32BE(head[0] === 1 ? 20 : 12),
    timescale: times.readUInt32BE(times[0] === 1 ? 20 : 12),
    codec,
    width: isVideo ? entry.readUInt16BE(24) : 0,
    height: isVideo ? entry.readUInt16BE(26) : 0,
    channels: isVideo ? 0 : audioChannels(descriptions),
    movie,
  });
};

/** Top-level boxes, without the content of `mdat`. */
async function* topBoxes(source: ByteSource): AsyncGenerator<Fragment & { readonly type: string }, string | undefined> {
  for (let offset = 0; offset < source.size; ) {
    const header = await source.read(offset, 16);
    if (header.length < 8) return 'The file ends within a box.';
    const type = header.toString('latin1', 4, 8);
    const short = header.readUInt32BE(0);
    const isLong = short === 1 && header.length === 16;
    const size = isLong ? Number(header.readBigUInt64BE(8)) : short === 0 ? source.size - offset : short;
    const headerBytes = isLong ? 16 : 8;
    if (size < headerBytes || offset + size > source.size) return 'The file ends within a box.';
    const isRead = type === 'moov' || type === 'moof';
    if (isRead && size > maxHeaderBytes) return 'A header of the file is too large.';
    const content = isRead ? await source.read(offset + headerBytes, size - headerBytes) : Buffer.alloc(0);
    yield { type, offset, content };
    offset += size;
  }
  return undefined;
}

/** Left: a sentence about what is wrong with the file. */
export const readTrack = async (source: ByteSource): Promise<Either<string, Track>> => {
  let headers: TrackHeaders | undefined;
  let defaults: Defaults = { duration: 0, size: 0, flags: 0 };
  const samples: Sample[] = [];
  const boxes = topBoxes(source);
  let step = await boxes.next();
  for (; step.done !== true; step = await boxes.next()) {
    const { type, content } = step.value;
    if (type === 'moov') {
      const read = headersOf(content);
      if (isLeft(read)) return read;
      headers = read.right;
      defaults = trackDefaults(content);
    }
    if (type === 'moof') for (const sample of samplesOf(step.value, defaults)) samples.push(sample);
  }
  if (step.value !== undefined) return left(step.value);
  if (headers === undefined || samples.length === 0) return left('The file has no samples.');
  return right({ ...headers, samples });
};
