/** Colours of terminals (ECMA-48 SGR) as classes; every other control sequence is left out. */

/** Colours 0 to 15, or null for the page's own. */
export interface AnsiStyle {
  readonly color: number | null;
  readonly background: number | null;
  readonly isBold: boolean;
  readonly isFaint: boolean;
  readonly isItalic: boolean;
  readonly isUnderlined: boolean;
}

export interface Segment {
  readonly text: string;
  readonly style: AnsiStyle;
}

export const plainStyle: AnsiStyle = {
  color: null,
  background: null,
  isBold: false,
  isFaint: false,
  isItalic: false,
  isUnderlined: false,
};

/** Control sequences (CSI, OSC, others), and control characters alone. */
const sequence =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the sequences to find.
  /\x1b(?:\[([0-?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-Z\\^-~])|[\x00-\x08\x0b-\x1f\x7f]/g;

/** The nearest of the 8 colours, the bright ones above a mean of two thirds. */
const nearest = (red: number, green: number, blue: number): number => {
  const most = Math.max(red, green, blue);
  if (most < 48) return 0;
  const bit = (value: number): number => (value * 2 > most ? 1 : 0);
  const index = bit(red) + 2 * bit(green) + 4 * bit(blue);
  return most > 191 ? index + 8 : index;
};

/** Of the 256: 16 as they are, a cube of 6 × 6 × 6, and 24 greys. */
const ofPalette = (index: number): number => {
  if (index < 16) return index;
  if (index >= 232) return index < 244 ? 8 : 7;
  const cube = index - 16;
  const level = (value: number): number => (value === 0 ? 0 : 55 + 40 * value);
  return nearest(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6));
};

/** A colour after 38 or 48, and how many codes it took. */
const extended = (codes: readonly number[], at: number): { readonly color: number | null; readonly taken: number } => {
  const [kind, one = 0, two = 0, three = 0] = codes.slice(at);
  if (kind === 5) return { color: ofPalette(Math.min(one, 255)), taken: 2 };
  if (kind === 2) return { color: nearest(one, two, three), taken: 4 };
  return { color: null, taken: 1 };
};

const toggles: Readonly<Record<number, Partial<AnsiStyle>>> = {
  0: plainStyle,
  1: { isBold: true },
  2: { isFaint: true },
  3: { isItalic: true },
  4: { isUnderlined: true },
  22: { isBold: false, isFaint: false },
  23: { isItalic: false },
  24: { isUnderlined: false },
  39: { color: null },
  49: { background: null },
};

const ofCode = (code: number): Partial<AnsiStyle> => {
  if (code >= 30 && code <= 37) return { color: code - 30 };
  if (code >= 40 && code <= 47) return { background: code - 40 };
  if (code >= 90 && code <= 97) return { color: code - 82 };
  if (code >= 100 && code <= 107) return { background: code - 92 };
  return toggles[code] ?? {};
};

const styled = (before: AnsiStyle, parameters: string): AnsiStyle => {
  const codes = parameters.split(/[;:]/).map((code) => Number(code || 0));
  let style = before;
  for (let at = 0; at < codes.length; at += 1) {
    const code = codes[at] ?? 0;
    if (code === 38 || code === 48) {
      const { color, taken } = extended(codes, at + 1);
      style = code === 38 ? { ...style, color } : { ...style, background: color };
      at += taken;
    } else style = { ...style, ...ofCode(code) };
  }
  return style;
};

export interface ParsedLine {
  readonly segments: readonly Segment[];
  /** With which the next line begins. */
  readonly after: AnsiStyle;
}

/** Linear in the length of the line. */
export const parseAnsi = (line: string, begin: AnsiStyle = plainStyle): ParsedLine => {
  const segments: Segment[] = [];
  let style = begin;
  let from = 0;
  const take = (to: number): void => {
    if (to > from) segments.push({ text: line.slice(from, to), style });
  };
  for (const match of line.matchAll(sequence)) {
    take(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') style = styled(style, match[1] ?? '');
  }
  take(line.length);
  return { segments, after: style };
};

/** Class names of the console's style sheet. */
export const classOf = ({ color, background, isBold, isFaint, isItalic, isUnderlined }: AnsiStyle): string =>
  [
    color === null ? '' : `ansi-${color}`,
    background === null ? '' : `ansi-on-${background}`,
    isBold ? 'ansi-bold' : '',
    isFaint ? 'ansi-faint' : '',
    isItalic ? 'ansi-italic' : '',
    isUnderlined ? 'ansi-underlined' : '',
  ]
    .filter((name) => name !== '')
    .join(' ');

export const isSameStyle = (one: AnsiStyle, other: AnsiStyle): boolean =>
  one === other || (Object.keys(one) as (keyof AnsiStyle)[]).every((field) => one[field] === other[field]);

/** Without control sequences, as it is searched. */
export const textOf = (line: string): string => (line.includes('\x1b') ? line.replaceAll(sequence, '') : line);
