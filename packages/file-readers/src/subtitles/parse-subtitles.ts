/** Parses SRT and WebVTT (W3C, section 4). Lines that are neither a time nor below one are skipped, as players do. */
import { cleanLine } from '../text-cleaning';

/** Displayed or spoken from `startMs` until before `endMs`. */
export interface Cue {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

export type SubtitleFormat = 'srt' | 'vtt';

const clock = String.raw`(?:(\d{1,4}):)?([0-5]?\d):([0-5]?\d)(?:[.,](\d{1,3}))?`;
const timing = new RegExp(String.raw`^\s*${clock}\s*-->\s*${clock}(?:\s.*)?$`);

/** Longer lines are no times; they are not matched against the pattern. */
const longestTiming = 1_000;

const millisecondsOf = ([hours = '0', minutes = '0', seconds = '0', fraction = '']: readonly (
  | string
  | undefined
)[]): number =>
  ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000 + Number(fraction.padEnd(3, '0'));

/** Undefined: the line is not the time of a cue. */
export const cueTimes = (line: string): Pick<Cue, 'startMs' | 'endMs'> | undefined => {
  if (line.length > longestTiming || !line.includes('-->')) return undefined;
  const found = timing.exec(line);
  if (found === null) return undefined;
  return { startMs: millisecondsOf(found.slice(1, 5)), endMs: millisecondsOf(found.slice(5, 9)) };
};

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  nbsp: ' ',
  lrm: '\u200E',
  rlm: '\u200F',
};

/** Without the marks of WebVTT, SRT and ASS for style, voice and place. */
export const plainLines = (lines: readonly string[]): readonly string[] =>
  lines
    .map((line) =>
      cleanLine(
        line
          .replace(/\{\\[^{}]*\}/g, '')
          .replace(/<\/?[a-z][^<>]*>|<\d[\d:.]*>/gi, '')
          .replace(/&(amp|lt|gt|quot|nbsp|lrm|rlm);/g, (_, name: string) => entities[name] ?? ''),
      ).trim(),
    )
    .filter((line) => line !== '');

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === '';

/** The number of the next cue stands above its time; in sloppy files without a blank line before. */
const withoutNumber = (lines: readonly string[]): readonly string[] => {
  const end = lines.findLastIndex((line) => !isBlank(line)) + 1;
  const isNumber = /^\s*\d{1,7}\s*$/.test(lines[end - 1] ?? '');
  return lines.slice(0, isNumber ? end - 1 : end);
};

/** Of SRT: up to the next time, as blank lines within a cue are common. Of WebVTT: up to the next blank line, as the standard has it. */
export const linesBelow = (lines: readonly string[], format: SubtitleFormat, isLast: boolean): readonly string[] => {
  if (format === 'srt') return isLast ? lines : withoutNumber(lines);
  const blank = lines.findIndex((line) => isBlank(line));
  return blank < 0 ? lines : lines.slice(0, blank);
};

/** In order of time; cues without text or duration are left out. */
export const parseSubtitles = (lines: readonly string[], format: SubtitleFormat): readonly Cue[] => {
  const timed = lines.flatMap((line, at) => {
    const times = cueTimes(line);
    return times === undefined ? [] : [{ at, ...times }];
  });
  const cues = timed.flatMap(({ at, startMs, endMs }, index): Cue[] => {
    const next = timed[index + 1];
    const text = plainLines(linesBelow(lines.slice(at + 1, next?.at), format, next === undefined)).join(' ');
    return text === '' || endMs <= startMs ? [] : [{ startMs, endMs, text }];
  });
  return cues.toSorted((one, other) => one.startMs - other.startMs);
};
