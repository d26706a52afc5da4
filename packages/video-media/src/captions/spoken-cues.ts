/** Passages of recognized speech as cues that can be read: two lines at once, each for its share of the passage's time. */
import type { CaptionCue } from './captions';

interface Passage {
  readonly startMs: number;
  readonly endMs: number;
  readonly text: string;
}

/** As subtitling guides have them, such as the BBC's. */
const lineCharacters = 42;
const linesPerCue = 2;

/** Longer words stand alone. */
const linesOf = (text: string): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter((one) => one !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= lineCharacters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
};

const lengthOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);

const cuesOf = ({ startMs, endMs, text }: Passage): readonly CaptionCue[] => {
  const lines = linesOf(text);
  const whole = lengthOf(lines);
  const timeAfter = (count: number): number =>
    Math.round(startMs + ((endMs - startMs) * lengthOf(lines.slice(0, count))) / whole);
  const starts = [...lines.keys()].filter((index) => index % linesPerCue === 0);
  return starts.map((start) => ({
    startMs: timeAfter(start),
    endMs: timeAfter(start + linesPerCue),
    lines: lines.slice(start, start + linesPerCue),
  }));
};

/** What would be shown for no time is left out. */
export const spokenCues = (passages: readonly Passage[]): readonly CaptionCue[] =>
  passages.flatMap(cuesOf).filter(({ startMs, endMs }) => endMs > startMs);
