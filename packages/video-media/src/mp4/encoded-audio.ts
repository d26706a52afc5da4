/** The encoded sound of a whole film: checked against its grid, and cut where the pictures' segments begin. */
import { type Either, left } from 'fp-ts/Either';
import { encodedSampleRate } from '../commands/encode-audio';
import { type FrameGrid, gridBoundaries, gridSeconds } from '../segments/frame-grid';
import type { ByteSource } from './byte-source';
import { type PackagedTrack, packageTrack, type StoreFile } from './package-track';
import { presentationTime, type Track } from './track';

/** The last frame of AAC may be shorter, or end after the pictures. */
const toleratedSeconds = 0.05;

const faultOf = ({ kind, timescale, channels, samples }: Track, grid: FrameGrid): string | undefined => {
  if (kind !== 'audio' || timescale !== encodedSampleRate) return 'It is not sound of the planned sample rate.';
  if (channels !== 2) return `It has ${channels} channels.`;
  let next: number | undefined;
  for (const sample of samples) {
    if (next !== undefined && sample.decodeTime !== next) return 'Its frames do not follow each other.';
    next = sample.decodeTime + sample.duration;
  }
  const first = samples[0] === undefined ? 0 : presentationTime(samples[0]);
  if (first > 0) return 'It begins after the film.';
  const seconds = (next ?? 0) / timescale;
  return Math.abs(seconds - gridSeconds(grid)) > toleratedSeconds
    ? `It ends at ${seconds} s of ${gridSeconds(grid)} s.`
    : undefined;
};

interface AudioToPackage {
  readonly grid: FrameGrid;
  readonly track: Track;
  readonly source: ByteSource;
  readonly store: StoreFile;
}

/** Left: a sentence about what the encoder wrote. */
export const packageEncodedAudio = async ({
  grid,
  track,
  source,
  store,
}: AudioToPackage): Promise<Either<string, PackagedTrack>> => {
  const fault = faultOf(track, grid);
  if (fault !== undefined) return left(fault);
  return packageTrack({ track, source, store, boundaries: gridBoundaries(grid), originTicks: 0 });
};
