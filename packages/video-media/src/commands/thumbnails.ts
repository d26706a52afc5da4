/** Argument lists of ffmpeg that make thumbnails in sheets, candidates for a poster, and the poster. */
import { type SourceFile, sourceInput } from '../source/commands';
import type { VideoStream } from '../source/source-description';
import { candidateSize } from '../thumbnails/choose-poster';
import { type ThumbnailPlan, thumbnailSeconds } from '../thumbnails/plan-thumbnails';
import { quietly, reported } from './common';
import { deinterlaced, displayPictures, timesFromOrigin } from './picture-filters';
import { jpegColors, posterOutput, posterSize } from './poster-output';

interface Thumbnails {
  readonly source: SourceFile;
  readonly video: VideoStream;
  readonly plan: ThumbnailPlan;
  readonly threads: number;
}

/** From 1 on. */
export const sheetName = (sheet: number): string => `sheet-${sheet}.jpg`;

const asJpeg: readonly string[] = [`scale=in_color_matrix=bt709:${jpegColors}`, 'format=yuvj420p'];

const input = ({ source, plan, threads }: Thumbnails, seek: readonly string[] = []): readonly string[] => [
  ...['-copyts', '-threads', String(threads), ...(plan.isByKeyframes ? ['-skip_frame', 'nokey'] : [])],
  ...[...seek, ...sourceInput(source)],
];

const pictures = ({ video }: Thumbnails): readonly string[] => [timesFromOrigin(video), ...deinterlaced(video)];

/** Each shows the last picture before its time; the last are repeated where the film ends earlier than it was measured. */
const sampled = (rate: string, count: number): readonly string[] => [
  `fps=${rate}:round=up:start_time=0`,
  'tpad=stop_mode=clone:stop=-1',
  `trim=start_pts=0:end_pts=${count}`,
];

const thumbnailRate = `1/${thumbnailSeconds}`;
const candidateRate = ({ candidateMilliseconds }: ThumbnailPlan): string => `1000/${candidateMilliseconds}`;

interface ThumbnailOutputs {
  /** Absolute; sheets are written to it as `sheetName` names them. */
  readonly directory: string;
  /** Absolute; for `choosePoster`. */
  readonly candidates: string;
}

export const thumbnailArguments = (job: Thumbnails & ThumbnailOutputs): readonly string[] => {
  const { video, plan, directory, candidates } = job;
  const { columns, rows, count, candidateCount } = plan;
  const sheets = [
    ...sampled(thumbnailRate, count),
    ...displayPictures(video, plan),
    ...asJpeg,
    `tile=${columns}x${rows}`,
  ];
  const grays = [
    ...sampled(candidateRate(plan), candidateCount),
    ...displayPictures(video, candidateSize),
    'extractplanes=y',
  ];
  const graph = [
    `[0:${video.index}]${pictures(job).join(',')},split=2[each][some]`,
    `[some]${grays.join(',')}[grays]`,
    `[each]${sheets.join(',')}[sheets]`,
  ].join(';');
  return [
    ...[...quietly, ...reported, '-filter_complex_threads', String(job.threads), ...input(job)],
    ...[
      '-filter_complex',
      graph,
      '-map',
      '[grays]',
      '-fps_mode',
      'passthrough',
      '-f',
      'rawvideo',
      `file:${candidates}`,
    ],
    ...['-map', '[sheets]', '-fps_mode', 'passthrough', '-c:v', 'mjpeg', '-q:v', '4', '-f', 'image2'],
    `file:${directory}/${sheetName(0).replace('0', '%d')}`,
  ];
};

interface Poster extends Thumbnails {
  /** The number that `choosePoster` answered. */
  readonly candidate: number;
  /** Absolute. */
  readonly output: string;
}

/** In the film, in seconds. */
const candidateTime = ({ plan, candidate }: Poster): number => (candidate * plan.candidateMilliseconds) / 1_000;

/** Decodes from the keyframe before the candidate. Demuxers that look at decoding times alone go to one a few frames after it. */
const seekCandidate = (job: Poster): readonly string[] => {
  if (job.candidate === 0) return [];
  const { timing } = job.video;
  const seconds = timing.startTicks / timing.timescale + candidateTime(job);
  return ['-seek_timestamp', '1', '-noaccurate_seek', '-ss', seconds.toFixed(6)];
};

export const posterArguments = (job: Poster): readonly string[] => {
  const { video, plan, candidate, output } = job;
  const filters = [
    ...pictures(job),
    `fps=${candidateRate(plan)}:round=up:start_time=${candidateTime(job).toFixed(3)}`,
    'tpad=stop_mode=clone:stop=-1',
    `trim=start_pts=${candidate}:end_pts=${candidate + 1}`,
    ...displayPictures(video, posterSize({ width: video.displayedWidth, height: video.displayedHeight })),
    ...asJpeg,
  ];
  return [
    ...[...quietly, ...reported, ...input(job, seekCandidate(job))],
    ...['-map', `0:${video.index}`, '-vf', filters.join(','), ...posterOutput(output)],
  ];
};
