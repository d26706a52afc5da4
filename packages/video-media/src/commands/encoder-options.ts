/** Options of ffmpeg's video encoders. Their keyframes are on the grid alone, and none refers to pictures before a keyframe. */
import type { Rendition } from '../ladder/plan-ladder';

export type VideoCodec = 'h264' | 'h265' | 'av1';

/** Of SVT-AV1, and of one block of x265. */
const leastSide: Readonly<Record<VideoCodec, number>> = { h264: 2, h265: 16, av1: 64 };

export const isEncodable = (codec: VideoCodec, { width, height }: Pick<Rendition, 'width' | 'height'>): boolean =>
  Math.min(width, height) >= leastSide[codec];

interface EncoderSettings {
  readonly rendition: Pick<Rendition, 'peakKbps'>;
  /** In frames. */
  readonly keyframeInterval: number;
  readonly threads: number;
}

/** A second at the peak: segments of six exceed it by a sixth at most. */
const bufferSeconds = 1;

const capped = ({ peakKbps }: Pick<Rendition, 'peakKbps'>): readonly string[] => [
  ...['-maxrate', `${peakKbps}k`, '-bufsize', `${peakKbps * bufferSeconds}k`],
];

/** Presets of about the same CPU time; quality constant below the peak. */
export const encoderOptions = (
  codec: VideoCodec,
  { rendition, keyframeInterval, threads }: EncoderSettings,
): readonly string[] => {
  const interval = String(keyframeInterval);
  switch (codec) {
    case 'h264':
      return [
        ...['-c:v', 'libx264', '-preset', 'veryfast', '-profile:v', 'high', '-crf', '23', ...capped(rendition)],
        ...['-g', interval, '-keyint_min', interval, '-sc_threshold', '0', '-flags', '+cgop'],
      ];
    case 'h265': {
      const keyframes = `keyint=${interval}:min-keyint=${interval}:scenecut=0:open-gop=0`;
      return [
        ...['-c:v', 'libx265', '-preset', 'superfast', '-tag:v', 'hvc1', '-crf', '26', ...capped(rendition)],
        ...['-x265-params', `log-level=error:${keyframes}:pools=${threads}`],
      ];
    }
    case 'av1':
      return [
        ...['-c:v', 'libsvtav1', '-preset', '10', '-crf', '36', '-maxrate', `${rendition.peakKbps}k`],
        ...['-g', interval, '-svtav1-params', `scd=0:lp=${threads}`],
      ];
  }
};
