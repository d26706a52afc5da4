/** Dumps of bytes with an offset before each line and characters behind it, as xxd, od and hexdump print them: their digits, joined. */
import { openViewWriter, type View } from './views';

const newline = 0x0a;
const colon = 0x3a;
/** A longer line is no dump of these programs. Lines are held as a whole, so this bounds what is held. */
const longestLine = 256;
const [fewestOffsetDigits, mostOffsetDigits] = [4, 16];
/** Ends what has begun: no digit, and no separator either. */
const noDigit = 0x21;

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09;

const isDigit = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 0x30 && byte <= 0x39) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66));

const skip = (bytes: Uint8Array, from: number, to: number, fits: (byte: number | undefined) => boolean): number => {
  let at = from;
  while (at < to && fits(bytes[at])) at += 1;
  return at;
};

/** Where the offset of a line ends; undefined: it has none. `to`: the end of the line, or of what has arrived of it. */
const offsetEnd = (bytes: Uint8Array, from: number, to: number): number | undefined => {
  const start = skip(bytes, from, to, isBlank);
  const end = skip(bytes, start, to, isDigit);
  if (end - start > mostOffsetDigits) return undefined;
  const after = bytes[end] === colon ? end + 1 : end;
  if (after < to && (end - start < fewestOffsetDigits || !isBlank(bytes[after]))) return undefined;
  return after > start ? Math.min(after, to) : undefined;
};

/** Groups of digits, from and to. One blank lies between them; two in the middle of a line of hexdump, which has no colon. */
const groupsOf = (bytes: Uint8Array, from: number, to: number): readonly (readonly [number, number])[] => {
  const groups: [number, number][] = [];
  const mostBlanks = bytes[from - 1] === colon ? 1 : 2;
  for (let at = from; ; ) {
    const start = skip(bytes, at, to, isBlank);
    const end = skip(bytes, start, to, isDigit);
    const isGroup =
      end > start && (end - start) % 2 === 0 && (end === to || isBlank(bytes[end]) || bytes[end] === 0x0d);
    if (!isGroup || (groups.length > 0 && start - at > mostBlanks)) return groups;
    groups.push([start, end]);
    at = end;
  }
};

/** Undefined: there is no dump. The view ends where a line may become one. */
export const joinDump = (base: View, isLast: boolean): View | undefined => {
  const { bytes } = base;
  let writer: ReturnType<typeof openViewWriter> | undefined;
  /** What is before is in the view. */
  let written = 0;
  for (let line = 0; line < bytes.length; ) {
    const found = bytes.indexOf(newline, line);
    const to = found < 0 ? bytes.length : found;
    const offset = to - line <= longestLine ? offsetEnd(bytes, line, to) : undefined;
    if (found < 0 && !isLast && offset !== undefined) {
      writer ??= openViewWriter(base);
      return writer.view(line);
    }
    const groups = offset === undefined ? [] : groupsOf(bytes, offset, to);
    if (groups.length > 0) writer ??= openViewWriter(base);
    else {
      writer?.replace(written, to + 1, [noDigit]);
      written = to + 1;
    }
    for (const [start, end] of groups) {
      if (start > written) writer?.replace(written, start, []);
      writer?.copy(start, end);
      written = end;
    }
    line = to + 1;
  }
  return writer?.view(bytes.length);
};
