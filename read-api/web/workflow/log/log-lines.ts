/** The lines of a log as it arrives: numbered, bounded, and with a count of what is left out. */
import { type AnsiStyle, parseAnsi, plainStyle } from './ansi';

export interface LogLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Characters at the end of the line that are not kept. */
  readonly omitted: number;
  /** With which it begins. */
  readonly style: AnsiStyle;
}

export interface LogLimits {
  /** Of all lines together. Beyond them the oldest lines are dropped. */
  readonly mostCharacters: number;
  readonly mostLineCharacters: number;
}

export interface LogLines {
  /** Adds text as it arrives; lines may go on in the next. */
  readonly add: (text: string) => void;
  /** The number of the last line, 0 without one. */
  readonly last: () => number;
  /** The number of the first line that is kept. */
  readonly first: () => number;
  /** Undefined: dropped, or not there yet. */
  readonly line: (number: number) => LogLine | undefined;
}

/** What the page of a job keeps: about 100 MB in memory. */
const pageLimits: LogLimits = { mostCharacters: 2 ** 25, mostLineCharacters: 8_192 };

/** Dropped lines leave the list in blocks, because each cut copies the list. */
const blockLines = 8_192;

interface Kept {
  text: string;
  omitted: number;
  readonly style: AnsiStyle;
}

/** A terminal shows what follows the last carriage return. */
const overwritten = (text: string): string => {
  const trimmed = text.endsWith('\r') ? text.slice(0, -1) : text;
  return trimmed.slice(trimmed.lastIndexOf('\r') + 1);
};

export const createLogLines = ({ mostCharacters, mostLineCharacters }: LogLimits = pageLimits): LogLines => {
  let kept: Kept[] = [];
  /** Lines that left the list, and lines at its begin that count as dropped. */
  let gone = 0;
  let dropped = 0;
  let characters = 0;
  let isOpen = false;
  let style = plainStyle;

  const extend = (piece: string): void => {
    if (!isOpen) {
      kept.push({ text: '', omitted: 0, style });
      isOpen = true;
    }
    const line = kept[kept.length - 1];
    if (line === undefined) return;
    const taken = piece.slice(0, Math.max(0, mostLineCharacters - line.text.length));
    line.text += taken;
    line.omitted += piece.length - taken.length;
    characters += taken.length;
  };

  const end = (): void => {
    const line = kept[kept.length - 1];
    isOpen = false;
    if (line === undefined) return;
    const { length } = line.text;
    if (line.text.includes('\r')) line.text = overwritten(line.text);
    characters -= length - line.text.length;
    if (style !== plainStyle || line.text.includes('\x1b')) style = parseAnsi(line.text, style).after;
  };

  const drop = (): void => {
    while (characters > mostCharacters && dropped < kept.length - 1) {
      characters -= kept[dropped]?.text.length ?? 0;
      dropped += 1;
    }
    if (dropped < blockLines) return;
    kept = kept.slice(dropped);
    gone += dropped;
    dropped = 0;
  };

  const add = (text: string): void => {
    let from = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
      extend(text.slice(from, at));
      end();
      from = at + 1;
    }
    if (from < text.length) extend(text.slice(from));
    drop();
  };

  return {
    add,
    last: () => gone + kept.length,
    first: () => gone + dropped + 1,
    line: (number) => {
      const index = number - 1 - gone;
      const line = index < dropped ? undefined : kept[index];
      return line === undefined ? undefined : { number, text: line.text, omitted: line.omitted, style: line.style };
    },
  };
};
