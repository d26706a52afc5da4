/** Which frames an encoded film has, and how they are divided into segments and groups: all renditions of a film share them. */
import { type Fraction, toNumber } from '../fraction';
import type { VideoTiming } from '../source/source-description';

/** Frames of a film: `first` counts from 0. */
export interface FrameRange {
  readonly first: number;
  readonly count: number;
}

/** Segments that one job encodes. */
export interface SegmentGroup extends FrameRange {
  readonly index: number;
  readonly segments: readonly FrameRange[];
}

export interface FrameGrid {
  readonly frameRate: Fraction;
  readonly frameCount: number;
  /** Between two keyframes; segments begin at multiples of it. */
  readonly keyframeInterval: number;
  readonly groups: readonly SegmentGroup[];
}

/** Specification C, section 8. */
const segmentSeconds = { least: 6, most: 10 } as const;
const keyframeSeconds = 2;
const mostSegmentsPerGroup = 10;

/** Rounding of 6 / 2.0 to whole intervals must not add one. */
const tolerance = 1e-9;

interface Spacing {
  readonly keyframeInterval: number;
  readonly segmentFrames: number;
  readonly longestSegmentFrames: number;
}

/** 29.97: 60 frames, 2.002 s, and 180 frames, 6.006 s. */
const spacingOf = (frameRate: Fraction): Spacing => {
  const rate = toNumber(frameRate);
  const longestSegmentFrames = Math.max(1, Math.floor(segmentSeconds.most * rate + tolerance));
  const keyframeInterval = Math.max(1, Math.round(keyframeSeconds * rate));
  const intervals = Math.ceil((segmentSeconds.least * rate) / keyframeInterval - tolerance);
  return { keyframeInterval, segmentFrames: intervals * keyframeInterval, longestSegmentFrames };
};

/** A short rest is part of the last segment while that is no longer than others may be. */
const segmentsOf = (frameCount: number, { segmentFrames, longestSegmentFrames }: Spacing): readonly FrameRange[] => {
  const segments: FrameRange[] = [];
  for (let first = 0; first < frameCount; ) {
    const left = frameCount - first;
    const count = left <= longestSegmentFrames ? left : segmentFrames;
    segments.push({ first, count });
    first += count;
  }
  return segments;
};

/** As few as possible, of equal length: with more than ten segments each has at least five. */
const groupsOf = (segments: readonly FrameRange[]): readonly SegmentGroup[] => {
  const groupCount = Math.ceil(segments.length / mostSegmentsPerGroup);
  return Array.from({ length: groupCount }, (_, index) => {
    const from = Math.floor((index * segments.length) / groupCount);
    const to = Math.floor(((index + 1) * segments.length) / groupCount);
    const own = segments.slice(from, to);
    const count = own.reduce((sum, segment) => sum + segment.count, 0);
    return { index, first: own[0]?.first ?? 0, count, segments: own };
  });
};

/** A film has one frame at least, and as many as fit its duration, rounded. `frameRate`: of the planned renditions, 1 per second at least. */
export const frameGrid = (
  { startTicks, endTicks, timescale }: Pick<VideoTiming, 'startTicks' | 'endTicks' | 'timescale'>,
  frameRate: Fraction,
): FrameGrid => {
  const spacing = spacingOf(frameRate);
  const frameCount = Math.max(1, Math.round(((endTicks - startTicks) / timescale) * toNumber(frameRate)));
  const { keyframeInterval } = spacing;
  return { frameRate, frameCount, keyframeInterval, groups: groupsOf(segmentsOf(frameCount, spacing)) };
};

/** When a frame is presented, in seconds of the film. */
export const frameSeconds = (
  { frameRate: { numerator, denominator } }: Pick<FrameGrid, 'frameRate'>,
  frame: number,
): number => (frame * denominator) / numerator;

export const gridSeconds = (grid: FrameGrid): number => frameSeconds(grid, grid.frameCount);

export const groupBoundaries = (grid: Pick<FrameGrid, 'frameRate'>, { segments }: SegmentGroup): readonly number[] =>
  segments.map(({ first }) => frameSeconds(grid, first));

/** Where all segments begin, in seconds of the film: sound is cut there. */
export const gridBoundaries = (grid: FrameGrid): readonly number[] =>
  grid.groups.flatMap((group) => groupBoundaries(grid, group));
