/** Captions of a person or of a source (SRT, WebVTT) as WebVTT that holds text and times alone: no markup, style or scripts reach a player. */
import { type Either, isRight, left, right } from 'fp-ts/Either';
import {
  cueTimes,
  linesBelow,
  plainLines,
  type SubtitleFormat,
} from '../../../file-readers/src/subtitles/parse-subtitles';
import { vttTime } from './vtt-time';

export interface CaptionCue {
  readonly startMs: number;
  readonly endMs: number;
  readonly lines: readonly string[];
}

export interface CaptionFault {
  /** From 1 on. */
  readonly line: number;
  /** A sentence for the author. */
  readonly detail: string;
}

const limits = { cues: 50_000, cueCharacters: 2_000 } as const;

const fault = (line: number, detail: string): Either<CaptionFault, never> => left({ line, detail });

/** W3C WebVTT, section 4.1: the first line, after a mark of byte order. */
const isWebVtt = ([first = '']: readonly string[]): boolean => /^WEBVTT(?:[ \t]|$)/.test(first);

const linesOf = (text: string): readonly string[] => text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);

/** A time as of a cue, with another arrow: no words that are spoken in a film. */
const likeTimes = /^\s*\d{1,3}:\d{2}(?::\d{2})?(?:[.,]\d{1,3})?\s*[-–—=>]+\s*\d{1,3}:\d{2}/;

/** Each cue, or what is wrong with it, in the order of the text. Cues that show no text are left out. */
const readCues = (lines: readonly string[], format: SubtitleFormat): readonly Either<CaptionFault, CaptionCue>[] => {
  const arrows = [...lines.keys()].filter(
    (at) => lines[at]?.includes('-->') === true || likeTimes.test(lines[at] ?? ''),
  );
  return arrows.flatMap((at, index): readonly Either<CaptionFault, CaptionCue>[] => {
    const times = cueTimes(lines[at] ?? '');
    if (times === undefined)
      return [fault(at + 1, 'This is not the time of a cue, such as 00:01:02.500 --> 00:01:04.000.')];
    if (times.endMs <= times.startMs) return [fault(at + 1, 'The cue does not end after it begins.')];
    const next = arrows[index + 1];
    const text = plainLines(linesBelow(lines.slice(at + 1, next), format, next === undefined));
    if (text.join('\n').length > limits.cueCharacters)
      return [fault(at + 2, `A cue has ${limits.cueCharacters} characters at most.`)];
    return text.length === 0 ? [] : [right({ ...times, lines: text })];
  });
};

const inOrder = (cues: readonly CaptionCue[]): readonly CaptionCue[] =>
  cues.toSorted((one, other) => one.startMs - other.startMs || one.endMs - other.endMs);

/** Left: the first fault. */
export const readCaptions = (text: string): Either<CaptionFault, readonly CaptionCue[]> => {
  const lines = linesOf(text);
  const cues: CaptionCue[] = [];
  for (const cue of readCues(lines, isWebVtt(lines) ? 'vtt' : 'srt')) {
    if (!isRight(cue)) return cue;
    if (cues.length === limits.cues) return fault(lines.length, `Captions have ${limits.cues} cues at most.`);
    cues.push(cue.right);
  }
  return cues.length === 0 ? fault(1, 'There is no cue: a time, and text below it.') : right(inOrder(cues));
};

/** Of a source: what is readable of what ffmpeg wrote. */
export const readEmbeddedCaptions = (webVtt: string): readonly CaptionCue[] => {
  const cues = readCues(linesOf(webVtt), 'vtt').filter(isRight);
  return inOrder(cues.slice(0, limits.cues).map((cue) => cue.right));
};

const escaped = (text: string): string =>
  text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? sign);

export const writeCaptions = (cues: readonly CaptionCue[]): string => {
  const blocks = cues.map(({ startMs, endMs, lines }) =>
    [`${vttTime(startMs)} --> ${vttTime(endMs)}`, ...lines.map(escaped)].join('\n'),
  );
  return `${['WEBVTT', ...blocks].join('\n\n')}\n`;
};
