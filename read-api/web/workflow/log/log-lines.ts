/**
 * The lines of a log that the page holds, by their numbers. Text is added after the last line as it is written, and before the first one as
 * earlier parts are read.
 */
import { type AnsiStyle, isSameStyle, parseAnsi, plainStyle } from './ansi';
import { type LineKind, lineKindOf, type MarkedKind } from './line-kind';

export interface LogLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  readonly kind: LineKind;
  /** Characters at the end of the line that are not kept. */
  readonly omitted: number;
  /** With which it begins. */
  readonly style: AnsiStyle;
}

export interface LineMarker {
  readonly number: number;
  readonly kind: MarkedKind;
}

export interface LogLimits {
  /** Of all lines together. Beyond them the oldest lines are dropped. */
  readonly mostCharacters: number;
  readonly mostLineCharacters: number;
}

export interface LogLines {
  /** Adds text after the last line, which may go on in it. */
  readonly append: (text: string) => void;
  /** Adds text before the first line, which may begin in it. False: there is no room for it, so nothing earlier is to be read. */
  readonly prepend: (text: string) => boolean;
  /** Numbers of the first line, and after the last. */
  readonly first: () => number;
  readonly end: () => number;
  /** After the last line that has ended. */
  readonly settled: () => number;
  /** Undefined: not held. */
  readonly line: (number: number) => LogLine | undefined;
  /** Lines with a mark, in order. */
  readonly markers: () => readonly LineMarker[];
}

/** What the page of a job keeps: about 100 MB in memory. */
const pageLimits: LogLimits = { mostCharacters: 2 ** 25, mostLineCharacters: 8_192 };

/** Dropped lines leave the list in blocks, because each cut copies the list. */
const blockLines = 8_192;

interface StoredLine {
  text: string;
  kind: LineKind;
  omitted: number;
  style: AnsiStyle;
  /** What comes before the text is not shown. */
  isOverwritten: boolean;
}

/** A terminal shows what follows the last carriage return; those at the end of a line overwrite nothing. */
const overwritten = (text: string): Pick<StoredLine, 'text' | 'isOverwritten'> => {
  if (!text.includes('\r')) return { text, isOverwritten: false };
  let end = text.length;
  while (text[end - 1] === '\r') end -= 1;
  const written = text.slice(0, end);
  const begin = written.lastIndexOf('\r') + 1;
  return { text: written.slice(begin), isOverwritten: begin > 0 };
};

const styleAfter = ({ text, style }: StoredLine): AnsiStyle =>
  style === plainStyle && !text.includes('\x1b') ? style : parseAnsi(text, style).after;

/** `from`: the number of the line in which the first text is. */
export const createLogLines = (from = 1, { mostCharacters, mostLineCharacters }: LogLimits = pageLimits): LogLines => {
  let stored: StoredLine[] = [];
  let markers: LineMarker[] = [];
  /** The number of the first element of `kept`, and how many elements from there count as dropped. */
  let base = from;
  let dropped = 0;
  let hasDropped = false;
  let characters = 0;
  /** The last line goes on in the text that comes next. */
  let isOpen = false;
  let style = plainStyle;

  const cut = (text: string): string => text.slice(0, mostLineCharacters);
  const lineOf = (text: string, begin: AnsiStyle): StoredLine => ({
    text,
    kind: 'plain',
    omitted: 0,
    style: begin,
    isOverwritten: false,
  });
  const markerOf = (kind: LineKind, number: number): readonly LineMarker[] =>
    kind === 'plain' ? [] : [{ number, kind }];

  const extend = (piece: string): void => {
    if (!isOpen) stored.push(lineOf('', style));
    isOpen = true;
    const line = stored[stored.length - 1] as StoredLine;
    const taken = piece.slice(0, Math.max(0, mostLineCharacters - line.text.length));
    line.text += taken;
    line.omitted += piece.length - taken.length;
    characters += taken.length;
  };

  const finish = (): void => {
    const line = stored[stored.length - 1] as StoredLine;
    isOpen = false;
    characters -= line.text.length;
    Object.assign(line, overwritten(line.text));
    characters += line.text.length;
    line.kind = lineKindOf(line.text);
    markers.push(...markerOf(line.kind, base + stored.length - 1));
    style = styleAfter(line);
  };

  const drop = (): void => {
    while (characters > mostCharacters && dropped < stored.length - 1) {
      characters -= stored[dropped]?.text.length ?? 0;
      dropped += 1;
      hasDropped = true;
    }
    if (dropped < blockLines) return;
    stored = stored.slice(dropped);
    base += dropped;
    dropped = 0;
    markers = markers.filter(({ number }) => number >= base);
  };

  const append = (text: string): void => {
    let begin = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', begin)) {
      extend(text.slice(begin, at));
      finish();
      begin = at + 1;
    }
    if (begin < text.length) extend(text.slice(begin));
    drop();
  };

  /** The begin of the first line, which was held without it. */
  const joinFirst = (begin: string): void => {
    const line = stored[0] as StoredLine;
    const isUnfinished = isOpen && stored.length === 1;
    if (line.isOverwritten) return;
    const whole = begin + line.text;
    characters -= line.text.length;
    line.omitted += Math.max(0, whole.length - mostLineCharacters);
    Object.assign(line, isUnfinished ? { text: cut(whole) } : overwritten(cut(whole)));
    characters += line.text.length;
    if (isUnfinished) return;
    const kind = lineKindOf(line.text);
    if (kind === line.kind) return;
    line.kind = kind;
    markers = [...markerOf(kind, base), ...markers.filter(({ number }) => number !== base)];
  };

  const prepend = (text: string): boolean => {
    if (hasDropped || characters + text.length > mostCharacters) return false;
    const parts = text.split('\n');
    const begin = parts.pop() ?? '';
    if (begin !== '' && stored.length === 0) {
      append(begin);
    } else if (begin !== '') joinFirst(begin);
    let before = plainStyle;
    const earlier = parts.map((part): StoredLine => {
      const visible = overwritten(part);
      const omitted = Math.max(0, visible.text.length - mostLineCharacters);
      const line: StoredLine = { ...lineOf(cut(visible.text), before), isOverwritten: visible.isOverwritten, omitted };
      line.kind = lineKindOf(line.text);
      before = styleAfter(line);
      characters += line.text.length;
      return line;
    });
    stored = earlier.concat(stored);
    base -= earlier.length;
    markers = earlier.flatMap(({ kind }, at) => markerOf(kind, base + at)).concat(markers);
    // The colour that the earlier text left goes on in what follows.
    for (let at = earlier.length; at < stored.length; at += 1) {
      const line = stored[at] as StoredLine;
      const isJoined = at === earlier.length && begin !== '';
      if (!isJoined && isSameStyle(line.style, before)) return true;
      line.style = before;
      before = styleAfter(line);
    }
    style = before;
    return true;
  };

  return {
    append,
    prepend,
    first: () => base + dropped,
    end: () => base + stored.length,
    settled: () => base + stored.length - (isOpen ? 1 : 0),
    line: (number) => {
      const at = number - base;
      const line = at < dropped ? undefined : stored[at];
      if (line === undefined) return undefined;
      const { text, kind, omitted, style: begin } = line;
      return { number, text, kind, omitted, style: begin };
    },
    markers: () => markers,
  };
};
