/** Packages a track as a CMAF set of immutable files, named by their SHA-256, and measures it. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ByteSource } from './byte-source';
import { presentationTime, type Sample, type Track } from './track';
import { chunksOf, initSegment, type SegmentKeyframe, writeSegment } from './write-segment';

export interface PackagedFile {
  readonly name: string;
  readonly size: number;
}

export interface PackagedSegment extends PackagedFile {
  readonly startTicks: number;
  readonly durationTicks: number;
  readonly keyframes: readonly SegmentKeyframe[];
}

export interface PackagedTrack extends Pick<Track, 'kind' | 'codec' | 'timescale' | 'width' | 'height' | 'channels'> {
  readonly init: PackagedFile;
  readonly segments: readonly PackagedSegment[];
  readonly sampleCount: number;
}

/** Stores a file; the same name always has the same bytes. */
export type StoreFile = (name: string, bytes: Buffer) => Promise<void>;

interface TrackToPackage {
  readonly track: Track;
  readonly source: ByteSource;
  /** Where segments begin, in seconds of the film; the first is 0. */
  readonly boundaries: readonly number[];
  /** The time in the track at which the film begins, in ticks. */
  readonly originTicks: number;
  /** Of its first chunk: chunks are counted from 1 on, over all parts of a film. */
  readonly firstSequence?: number;
  readonly store: StoreFile;
}

export const fileName = (bytes: Buffer, ending: string): string =>
  `${createHash('sha256').update(bytes).digest('hex')}.${ending}`;

const endOf = (samples: readonly Sample[]): number =>
  samples.reduce((end, sample) => Math.max(end, presentationTime(sample) + sample.duration), Number.NEGATIVE_INFINITY);

/** Pictures are cut before the keyframe of that very time, sound at the sample that begins nearest. */
const cutIndices = (
  kind: Track['kind'],
  samples: readonly Sample[],
  boundaryTicks: readonly number[],
): Either<string, readonly number[]> => {
  const indices: number[] = [];
  let at = 0;
  for (const ticks of boundaryTicks) {
    if (kind === 'video') {
      const tolerance = 1;
      while (at < samples.length) {
        const sample = samples[at];
        if (sample?.isSync === true && Math.abs(presentationTime(sample) - ticks) <= tolerance) break;
        at++;
      }
      if (at === samples.length) return left('There is no keyframe where a segment begins.');
    } else
      while (at < samples.length) {
        const sample = samples[at];
        if (sample === undefined || presentationTime(sample) + sample.duration / 2 > ticks) break;
        at++;
      }
    if (indices.at(-1) !== at) indices.push(at);
  }
  return right(indices);
};

const read = async (source: ByteSource, samples: readonly Sample[]): Promise<(sample: Sample) => Buffer> => {
  const start = Math.min(...samples.map(({ offset }) => offset));
  const end = Math.max(...samples.map(({ offset, size }) => offset + size));
  const bytes = await source.read(start, end - start);
  return ({ offset, size }) => bytes.subarray(offset - start, offset - start + size);
};

/** Sound of before the film begins, such as an encoder's priming, is left out. */
const playedSamples = ({ kind, samples }: Track, originTicks: number): readonly Sample[] =>
  kind === 'video' ? samples : samples.filter((sample) => presentationTime(sample) >= originTicks);

/** Left: a sentence about why the track cannot be cut there. */
export const packageTrack = async ({
  track,
  source,
  boundaries,
  originTicks,
  firstSequence = 1,
  store,
}: TrackToPackage): Promise<Either<string, PackagedTrack>> => {
  const samples = playedSamples(track, originTicks);
  if (samples.length === 0) return left('The track has no samples after the beginning of the film.');
  const boundaryTicks = boundaries.map((seconds) => Math.round(seconds * track.timescale) + originTicks);
  const cuts = cutIndices(track.kind, samples, boundaryTicks);
  if (isLeft(cuts)) return cuts;
  // Sound may begin later than the film, and end earlier.
  const starts = [0, ...cuts.right.filter((index) => index > 0 && index < samples.length)];
  const init = initSegment(track);
  const initName = fileName(init, 'mp4');
  await store(initName, init);
  const segments: PackagedSegment[] = [];
  let sequence = firstSequence;
  for (const [index, start] of starts.entries()) {
    const content = samples.slice(start, starts[index + 1] ?? samples.length);
    const firstTicks = content.reduce(
      (first, sample) => Math.min(first, presentationTime(sample)),
      Number.POSITIVE_INFINITY,
    );
    const [first] = content;
    if (first === undefined || firstTicks < presentationTime(first))
      return left('Pictures of one segment are presented before its keyframe.');
    const next = samples[starts[index + 1] ?? samples.length];
    const endTicks = next === undefined ? endOf(content) : presentationTime(next);
    const { bytes, keyframes } = writeSegment({
      track,
      samples: content,
      firstSequence: sequence,
      shiftTicks: -originTicks,
      bytesOf: await read(source, content),
    });
    sequence += chunksOf(track.kind, content).length;
    const name = fileName(bytes, 'm4s');
    await store(name, bytes);
    segments.push({
      name,
      size: bytes.length,
      startTicks: firstTicks - originTicks,
      durationTicks: endTicks - firstTicks,
      keyframes,
    });
  }
  const { kind, codec, timescale, width, height, channels } = track;
  return right({
    ...{ kind, codec, timescale, width, height, channels },
    init: { name: initName, size: init.length },
    segments,
    sampleCount: samples.length,
  });
};
