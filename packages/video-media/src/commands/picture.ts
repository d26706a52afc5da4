/** The argument list of ffmpeg that makes a poster of a picture that was uploaded, and how such pictures are known. */
import { quietly, reported } from './common';
import { jpegColors, posterOutput, posterSide } from './poster-output';

/** Of ffmpeg: each reads its one type. */
export type PictureType = 'jpeg_pipe' | 'png_pipe' | 'webp_pipe';

const beginsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

/** By its first bytes; undefined: it is no JPEG, PNG or WebP. */
export const pictureTypeOf = (bytes: Buffer): PictureType | undefined => {
  if (beginsWith(bytes, '\u00ff\u00d8\u00ff')) return 'jpeg_pipe';
  if (beginsWith(bytes, '\u0089PNG\r\n\u001a\n')) return 'png_pipe';
  return beginsWith(bytes, 'RIFF') && beginsWith(bytes, 'WEBP', 8) ? 'webp_pipe' : undefined;
};

/** A picture of a few bytes may claim to be larger than memory. */
const maxPixels = 50_000_000;

interface PictureRequest {
  /** Absolute. */
  readonly input: string;
  readonly type: PictureType;
  /** Absolute. */
  readonly output: string;
}

export const pictureArguments = ({ input, type, output }: PictureRequest): readonly string[] => {
  const size = (side: string): string => `'max(2,2*floor(${side}*min(1,${posterSide}/max(iw,ih))/2))'`;
  const scaled = `scale=w=${size('iw')}:h=${size('ih')}:${jpegColors}`;
  return [
    ...[...quietly, ...reported, '-threads', '1', '-protocol_whitelist', 'file'],
    ...['-max_pixels', String(maxPixels), '-f', type, '-i', `file:${input}`, '-map', '0:v:0'],
    ...['-vf', `${scaled},format=yuvj420p,setsar=1`, ...posterOutput(output)],
  ];
};
