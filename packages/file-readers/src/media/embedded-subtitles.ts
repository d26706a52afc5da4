/** The subtitles in a film or recording that are text. */
import { type Either, right } from 'fp-ts/Either';
import type { ReadFailure } from '../../../../domain/files/content/read-result';
import { linesOf } from '../program';
import { fail, type ReadableFile } from '../reader';
import { type Cue, parseSubtitles } from '../subtitles/parse-subtitles';
import { mediaLimits } from './limits';
import { inputOf, mediaFailure, type ProbedMedia, type Stream } from './probe';

const textCodecs = new Set(['subrip', 'srt', 'ass', 'ssa', 'mov_text', 'webvtt', 'text', 'subviewer', 'microdvd']);

export const isTextTrack = ({ kind, codec }: Stream): boolean => kind === 'subtitle' && textCodecs.has(codec);

export const extractSubtitles = async (
  file: ReadableFile,
  { container }: ProbedMedia,
  { index }: Stream,
): Promise<Either<ReadFailure, readonly Cue[]>> => {
  const output = linesOf({
    program: 'ffmpeg',
    args: [
      ...['-nostdin', '-v', 'error', '-threads', '1', ...inputOf(file, container)],
      ...['-map', `0:${index}`, '-c:s', 'webvtt', '-f', 'webvtt', 'pipe:1'],
    ],
    maxBytes: mediaLimits.subtitleBytes,
  });
  const lines: string[] = [];
  let step = await output.next();
  for (; step.done !== true; step = await output.next()) lines.push(step.value);
  const { kind, code } = step.value;
  if (kind === 'output') return fail('TOO_LARGE', 'A track of subtitles holds more text than this system reads.');
  const cues = parseSubtitles(lines, 'vtt');
  // Of a file that is cut off, what was there before the end is true.
  return kind === 'exited' && (code === 0 || cues.length > 0) ? right(cues) : mediaFailure(step.value);
};
