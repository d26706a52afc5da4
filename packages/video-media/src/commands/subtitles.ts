/** The argument list of ffmpeg that writes the text subtitles of a source as WebVTT, for `readEmbeddedCaptions`. */
import { type SourceFile, sourceInput } from '../source/commands';
import type { SubtitleStream, VideoTiming } from '../source/source-description';
import { quietly, reported } from './common';

interface SubtitleExtraction {
  readonly source: SourceFile;
  /** Of text. */
  readonly subtitles: Pick<SubtitleStream, 'index'>;
  /** Of the pictures: where the film begins. */
  readonly timing: Pick<VideoTiming, 'startTicks' | 'timescale'>;
  /** Absolute. */
  readonly output: string;
}

export const subtitleArguments = ({ source, subtitles, timing, output }: SubtitleExtraction): readonly string[] => [
  ...[...quietly, ...reported, '-copyts', '-itsoffset', (-timing.startTicks / timing.timescale).toFixed(6)],
  ...[...sourceInput(source), '-map', `0:${subtitles.index}`],
  ...['-c:s', 'webvtt', '-f', 'webvtt', `file:${output}`],
];
