/** Where a film's thumbnails are: in sheets of a bounded size, one thumbnail each ten seconds. */
import type { SourceDescription } from '../source/source-description';

export interface ThumbnailPlan {
  readonly count: number;
  /** Of one thumbnail, in pixels. */
  readonly width: number;
  readonly height: number;
  readonly columns: number;
  readonly rows: number;
  readonly sheetCount: number;
  /** Candidates for the poster are this far from each other. */
  readonly candidateMilliseconds: number;
  readonly candidateCount: number;
  /** Only keyframes are decoded: a thumbnail shows the one before its time. */
  readonly isByKeyframes: boolean;
}

/** Specification C, section 8. */
export const thumbnailSeconds = 10;

const longerSide = 160;
/** A sheet has 1600 pixels a side at most. */
const mostPerSide = 10;

const mostCandidates = 12;

/** Nearer keyframes suffice, and save most of the decoding of a long film. */
const keyframeDistanceSeconds = 5;

const hasNearKeyframes = ({ timing }: SourceDescription['video']): boolean => {
  const { keyframes, startTicks, endTicks, timescale } = timing;
  const times = [startTicks, ...keyframes, endTicks];
  return times.every((time, index) => time - (times[index - 1] ?? time) <= keyframeDistanceSeconds * timescale);
};

const evenSide = (side: number): number => Math.max(2, 2 * Math.round(side / 2));

export const planThumbnails = ({ durationSeconds, video }: SourceDescription): ThumbnailPlan => {
  const { displayedWidth, displayedHeight } = video;
  const scale = Math.min(1, longerSide / Math.max(displayedWidth, displayedHeight));
  const count = Math.max(1, Math.ceil(durationSeconds / thumbnailSeconds - 1e-6));
  const columns = Math.min(mostPerSide, count);
  const rows = Math.min(mostPerSide, Math.ceil(count / columns));
  const candidateMilliseconds = Math.max(1, Math.floor((durationSeconds * 1_000) / mostCandidates));
  const isByKeyframes = durationSeconds >= mostCandidates * thumbnailSeconds && hasNearKeyframes(video);
  return {
    ...{ count, columns, rows, sheetCount: Math.ceil(count / (columns * rows)) },
    ...{ width: evenSide(displayedWidth * scale), height: evenSide(displayedHeight * scale) },
    ...{ candidateMilliseconds, candidateCount: mostCandidates, isByKeyframes },
  };
};
