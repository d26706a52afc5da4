/** Filters of ffmpeg that make of a source's pictures what screens show: progressive, upright, of square pixels, in the colors of BT.709. */
import type { VideoStream } from '../source/source-description';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Needs frames of the source in their order, before any are dropped. */
export const deinterlaced = ({ isInterlaced }: Pick<VideoStream, 'isInterlaced'>): readonly string[] =>
  isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : [];

/** `round`: without it ffmpeg cuts 2.9999 to 2. */
export const timesFromOrigin = ({ timing: { startTicks, timescale } }: Pick<VideoStream, 'timing'>): string =>
  `setpts=round(PTS-${startTicks}/${timescale}/TB)`;

const transferNames = { pq: 'smpte2084', hlg: 'arib-std-b67' } as const;

/** White at 100 nits, and highlights bent to fit; headers often leave colors out, so all are named. */
const toneMapped = (transfer: keyof typeof transferNames): readonly string[] => [
  `zscale=tin=${transferNames[transfer]}:pin=bt2020:min=bt2020nc:t=linear:npl=100`,
  'format=gbrpf32le',
  'zscale=p=bt709',
  'tonemap=hable:desat=0',
  'zscale=t=bt709:m=bt709:r=limited',
];

/** ffmpeg itself turns pictures, before the first filter. */
export const displayPictures = (
  { transfer, matrix }: Pick<VideoStream, 'transfer' | 'matrix'>,
  { width, height }: Size,
): readonly string[] => {
  const size = `scale=w=${width}:h=${height}`;
  const scaled =
    transfer === 'sdr'
      ? [`${size}:in_color_matrix=${matrix}:out_color_matrix=bt709:out_range=tv`]
      : [size, ...toneMapped(transfer)];
  return [...scaled, 'setsar=1', 'format=yuv420p'];
};

/** Of pictures that are displayed already. */
export const smaller = ({ width, height }: Size): readonly string[] => [`scale=w=${width}:h=${height}`, 'setsar=1'];

/** Names the colors that `displayPictures` makes, so that no player guesses them from the size. */
export const displayColors: readonly string[] = [
  ...['-colorspace', 'bt709', '-color_primaries', 'bt709', '-color_trc', 'bt709', '-color_range', 'tv'],
];
