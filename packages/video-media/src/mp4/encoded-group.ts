/** One group of an encoded rendition: checked against the grid that it was encoded for, packaged alone, and joined to its neighbours. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { encodedTimes } from '../commands/encode';
import type { Rendition } from '../ladder/plan-ladder';
import { type FrameGrid, groupBoundaries, type SegmentGroup } from '../segments/frame-grid';
import type { ByteSource } from './byte-source';
import { type PackagedTrack, packageTrack, type StoreFile } from './package-track';
import { presentationTime, type Track } from './track';

interface ExpectedGroup {
  readonly grid: FrameGrid;
  readonly group: SegmentGroup;
  readonly rendition: Pick<Rendition, 'width' | 'height'>;
}

/** Undefined: it has each frame of the group once, at its time. ffmpeg exits with 0 after less as well. */
const faultOf = (track: Track, { grid, group, rendition }: ExpectedGroup): string | undefined => {
  const { timescale, frameTicks } = encodedTimes(grid.frameRate);
  const { samples } = track;
  if (track.kind !== 'video' || track.timescale !== timescale) return 'It is not video of the planned timescale.';
  if (track.width !== rendition.width || track.height !== rendition.height)
    return `It is ${track.width}x${track.height}, not ${rendition.width}x${rendition.height}.`;
  if (samples.length !== group.count) return `It has ${samples.length} frames of ${group.count}.`;
  const presented = new Set<number>();
  for (const [index, sample] of samples.entries()) {
    const frame = presentationTime(sample) / frameTicks - group.first;
    if (sample.decodeTime !== (group.first + index) * frameTicks) return `Frame ${index} is not decoded at its time.`;
    if (!Number.isInteger(frame) || frame < 0 || frame >= group.count) return `Frame ${index} is not on the grid.`;
    if (sample.isSync !== (index % grid.keyframeInterval === 0)) return `Keyframes are not on the grid at ${index}.`;
    presented.add(frame);
  }
  return presented.size === group.count ? undefined : 'Two frames have the same time.';
};

interface GroupToPackage extends ExpectedGroup {
  readonly track: Track;
  readonly source: ByteSource;
  readonly store: StoreFile;
}

/** Left: a sentence about what the encoder wrote. Times of the packaged segments are those of the film. */
export const packageGroup = async (encoded: GroupToPackage): Promise<Either<string, PackagedTrack>> => {
  const { track, source, store, grid, group } = encoded;
  const fault = faultOf(track, encoded);
  if (fault !== undefined) return left(fault);
  return packageTrack({
    ...{ track, source, store },
    boundaries: groupBoundaries(grid, group),
    originTicks: 0,
    firstSequence: group.first / grid.keyframeInterval + 1,
  });
};

const join = (one: PackagedTrack, next: PackagedTrack): Either<string, PackagedTrack> => {
  if (one.init.name !== next.init.name) return left('Groups of one rendition were not encoded with the same settings.');
  const last = one.segments.at(-1);
  const [first] = next.segments;
  if (last === undefined || first === undefined || last.startTicks + last.durationTicks !== first.startTicks)
    return left('A group does not begin where the one before it ends.');
  return right({
    ...one,
    segments: [...one.segments, ...next.segments],
    sampleCount: one.sampleCount + next.sampleCount,
  });
};

/** Packaged groups, in their order, as the track of a whole film. */
export const joinGroups = (groups: readonly PackagedTrack[]): Either<string, PackagedTrack> => {
  const [first, ...others] = groups;
  if (first === undefined) return left('There is no group.');
  let joined: Either<string, PackagedTrack> = right(first);
  for (const group of others) {
    if (isLeft(joined)) return joined;
    joined = join(joined.right, group);
  }
  return joined;
};
