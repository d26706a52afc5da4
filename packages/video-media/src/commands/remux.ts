/** Argument lists of ffmpeg that copy a source's tracks, each to a fragmented MP4 of its own with the source's times. */
import { type SourceFile, sourceInput } from '../source/commands';
import { fragmented, quietly, reported } from './common';

interface Remux {
  readonly source: SourceFile;
  readonly video: { readonly index: number; readonly output: string };
  /** Null: the film has no sound that is copied. */
  readonly audio: { readonly index: number; readonly output: string } | null;
}

/** Outputs are absolute paths. */
export const remuxArguments = ({ source, video, audio }: Remux): readonly string[] => [
  ...[...quietly, ...reported],
  '-copyts',
  ...sourceInput(source),
  ...['-map', `0:${video.index}`, '-c', 'copy', ...fragmented('video'), `file:${video.output}`],
  ...(audio === null ? [] : ['-map', `0:${audio.index}`, '-c', 'copy', ...fragmented('audio'), `file:${audio.output}`]),
];
