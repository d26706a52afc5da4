/** The argument list of ffmpeg that encodes one group of segments, in several renditions from one decode. */
import type { Fraction } from '../fraction';
import type { Rendition } from '../ladder/plan-ladder';
import { type FrameGrid, frameSeconds, type SegmentGroup } from '../segments/frame-grid';
import { type SourceFile, sourceInput } from '../source/commands';
import type { VideoStream } from '../source/source-description';
import { fragmented, quietly, reported } from './common';
import { encoderOptions, type VideoCodec } from './encoder-options';
import { deinterlaced, displayColors, displayPictures, smaller, timesFromOrigin } from './picture-filters';

export interface EncodedOutput {
  readonly rendition: Rendition;
  /** Absolute. */
  readonly path: string;
}

interface GroupEncoding {
  readonly source: SourceFile;
  readonly video: VideoStream;
  readonly grid: FrameGrid;
  readonly group: SegmentGroup;
  readonly codec: VideoCodec;
  /** Of `grid`'s frame rate. Smallest first, as `planLadder` has them; at least one. */
  readonly outputs: readonly [EncodedOutput, ...EncodedOutput[]];
  readonly threads: number;
}

/** Finer than any player needs, and whole for each frame. */
const leastTimescale = 10_000;

/** Ticks per second and per frame of encoded renditions. */
export const encodedTimes = ({
  numerator,
  denominator,
}: Fraction): { readonly timescale: number; readonly frameTicks: number } => {
  const factor = Math.ceil(leastTimescale / numerator);
  return { timescale: numerator * factor, frameTicks: denominator * factor };
};

/** More of a film's pictures than this must not be undecodable. */
const highestErrorRate = 0.2;

/** The end of a film may be rounded up to a frame that no picture is near. */
const repeatedAtEnd = 2;

/**
 * Decodes from the keyframe before the group, as the picture that its first frame shows may be from long before.
 * Frames are those of the whole film's grid: where a job begins changes none of them.
 */
const seek = ({ video: { timing }, grid, group }: GroupEncoding): readonly string[] => {
  if (group.first === 0) return [];
  const seconds = timing.startTicks / timing.timescale + frameSeconds(grid, group.first);
  return ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', seconds.toFixed(6)];
};

const isLastGroup = ({ grid, group }: GroupEncoding): boolean => group.first + group.count === grid.frameCount;

const gridFrames = (job: GroupEncoding): readonly string[] => {
  const { grid, group } = job;
  const { numerator, denominator } = grid.frameRate;
  return [
    // What stands before the first keyframe cannot be decoded: its time shows that keyframe.
    `fps=${numerator}/${denominator}${group.first === 0 ? ':start_time=0' : ''}`,
    ...(isLastGroup(job) ? [`tpad=stop_mode=clone:stop=${repeatedAtEnd}`] : []),
    `trim=start_pts=${group.first}:end_pts=${group.first + group.count}`,
  ];
};

/** The largest is made of the source, the others of the largest. */
const graph = (job: GroupEncoding): string => {
  const { video, outputs } = job;
  const largest = outputs.at(-1) ?? outputs[0];
  const pictures = [
    timesFromOrigin(video),
    ...deinterlaced(video),
    ...gridFrames(job),
    ...displayPictures(video, largest.rendition),
  ];
  const labels = outputs.map((_, index) => `[split${index}]`).join('');
  return [
    `[0:${video.index}]${pictures.join(',')},split=${outputs.length}${labels}`,
    ...outputs.map(({ rendition }, index) => {
      const filters = rendition === largest.rendition ? ['null'] : smaller(rendition);
      return `[split${index}]${filters.join(',')}[output${index}]`;
    }),
  ].join(';');
};

export const encodeArguments = (job: GroupEncoding): readonly string[] => {
  const { source, grid, group, codec, outputs, threads } = job;
  const { timescale } = encodedTimes(grid.frameRate);
  return [
    ...[...quietly, ...reported, '-max_error_rate', String(highestErrorRate)],
    ...['-filter_complex_threads', String(threads), '-copyts', '-threads', String(threads)],
    ...[...seek(job), ...sourceInput(source), '-filter_complex', graph(job)],
    ...outputs.flatMap(({ rendition, path }, index) => [
      ...['-map', `[output${index}]`, '-fps_mode', 'passthrough', '-frames:v', String(group.count)],
      ...['-threads', String(threads)],
      ...encoderOptions(codec, { rendition, keyframeInterval: grid.keyframeInterval, threads }),
      ...[...displayColors, '-video_track_timescale', String(timescale), ...fragmented('video'), `file:${path}`],
    ]),
  ];
};
