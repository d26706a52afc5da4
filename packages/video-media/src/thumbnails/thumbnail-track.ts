/** The WebVTT of thumbnails, as players take it: each cue names a part of a sheet (Media Fragments URI 1.0, section 4.2.2). */
import { vttTime } from '../captions/vtt-time';
import { type ThumbnailPlan, thumbnailSeconds } from './plan-thumbnails';

interface NamedThumbnails {
  readonly plan: ThumbnailPlan;
  readonly durationSeconds: number;
  /** Addresses relative to the WebVTT, in their order. */
  readonly sheets: readonly string[];
}

export const thumbnailTrack = ({ plan, durationSeconds, sheets }: NamedThumbnails): string => {
  const { count, columns, rows, width, height } = plan;
  const end = Math.max(1, Math.round(durationSeconds * 1_000));
  const cues = Array.from({ length: count }, (_, index) => {
    const sheet = Math.floor(index / (columns * rows));
    const within = index % (columns * rows);
    const [x, y] = [(within % columns) * width, Math.floor(within / columns) * height];
    const from = index * thumbnailSeconds * 1_000;
    const to = index === count - 1 ? end : from + thumbnailSeconds * 1_000;
    return `${vttTime(from)} --> ${vttTime(to)}\n${sheets[sheet]}#xywh=${x},${y},${width},${height}`;
  });
  return `${['WEBVTT', ...cues].join('\n\n')}\n`;
};
