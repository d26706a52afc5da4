/** Splits a file at line ends, for CSV not at those inside quotes (RFC 4180). Memory is bounded by the longest record. */
import { type FileChunks, type FileRecord, maxRecordBytes, tooLong } from './file-record';

const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;

/** A quote that is open for longer was never closed: its line is refused, and the next ones are read again. */
const maxRecordLines = 64;

/** The end of the record that begins the bytes. */
type RecordEnd =
  | { readonly kind: 'record' | 'unclosed' | 'long'; readonly end: number }
  /** A record with line ends inside of quotes. */
  | { readonly kind: 'lines'; readonly end: number; readonly firstLineEnd: number }
  /** It depends on bytes that are still to come. */
  | { readonly kind: 'unknown' };

type LineEnds = Pick<LineRules, 'hasReturnsOnly'>;

const isLineEnd = (byte: number | undefined, { hasReturnsOnly }: LineEnds): boolean =>
  byte === newline || (hasReturnsOnly === true && byte === carriageReturn);

const lineEndAfter = (bytes: Buffer, from: number, ends: LineEnds): number => {
  if (ends.hasReturnsOnly !== true) return bytes.indexOf(newline, from);
  for (let at = from; at < bytes.length; at += 1) if (isLineEnd(bytes[at], ends)) return at;
  return -1;
};

interface EndRules extends LineEnds {
  readonly hasQuotes: boolean;
  readonly isLast: boolean;
}

const findEnd = (bytes: Buffer, { hasQuotes, isLast, ...ends }: EndRules): RecordEnd => {
  let isQuoted = false;
  let lines = 0;
  let firstLineEnd = -1;
  const unclosed = (at: number): RecordEnd =>
    firstLineEnd < 0 ? { kind: 'long', end: at } : { kind: 'unclosed', end: firstLineEnd };
  for (let at = 0; at < bytes.length; at += 1) {
    if (at > maxRecordBytes) return isQuoted ? unclosed(at) : { kind: 'long', end: at };
    const byte = bytes[at];
    if (byte === quote && hasQuotes) isQuoted = !isQuoted;
    if (!isLineEnd(byte, ends)) continue;
    if (!isQuoted) return firstLineEnd < 0 ? { kind: 'record', end: at } : { kind: 'lines', end: at, firstLineEnd };
    if (firstLineEnd < 0) firstLineEnd = at;
    lines += 1;
    if (lines >= maxRecordLines) return unclosed(at);
  }
  if (!isLast) return { kind: 'unknown' };
  const end = bytes.length;
  if (isQuoted) return firstLineEnd < 0 ? { kind: 'record', end } : { kind: 'unclosed', end: firstLineEnd };
  return firstLineEnd < 0 ? { kind: 'record', end } : { kind: 'lines', end, firstLineEnd };
};

const withoutReturn = (bytes: Buffer): Buffer =>
  bytes.at(-1) === carriageReturn ? bytes.subarray(0, bytes.length - 1) : bytes;

const isBlank = (bytes: Buffer): boolean => bytes.every((byte) => byte <= 0x20);

const countLines = (bytes: Buffer, ends: LineEnds): number => {
  let count = 0;
  for (let at = lineEndAfter(bytes, 0, ends); at >= 0; at = lineEndAfter(bytes, at + 1, ends)) count += 1;
  return count;
};

const recordOf = (kind: 'record' | 'unclosed' | 'long', bytes: Buffer, line: number): readonly FileRecord[] => {
  if (kind === 'long') return [{ line, fault: tooLong }];
  if (kind === 'unclosed') return [{ line, fault: 'closed: a quote that begins in this line has no end' }];
  const content = withoutReturn(bytes);
  return isBlank(content) ? [] : [{ line, bytes: content }];
};

interface LineRules {
  /** Line ends inside quotes do not end a record. */
  readonly hasQuotes: boolean;
  /** Lines end with CR alone. Left out: with LF, which CR may precede. */
  readonly hasReturnsOnly?: boolean;
  /** Whether several lines are one record: else a quote of the first line was never closed. */
  readonly isRecord?: (bytes: Buffer) => boolean;
}

/** Blank lines are no records. */
export async function* splitLines(
  chunks: FileChunks,
  { hasQuotes, hasReturnsOnly = false, isRecord = () => true }: LineRules,
): AsyncGenerator<FileRecord> {
  let pending: Buffer = Buffer.alloc(0);
  let line = 1;
  let isSkipping = false;
  const ends = { hasReturnsOnly };

  const decided = (found: RecordEnd, bytes: Buffer): Exclude<RecordEnd, { readonly kind: 'lines' }> => {
    if (found.kind !== 'lines') return found;
    const { end, firstLineEnd } = found;
    return isRecord(withoutReturn(bytes.subarray(0, end)))
      ? { kind: 'record', end }
      : { kind: 'unclosed', end: firstLineEnd };
  };

  function* take(chunk: Buffer, isLast: boolean): Generator<FileRecord> {
    let bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
    while (bytes.length > 0) {
      if (isSkipping) {
        const at = lineEndAfter(bytes, 0, ends);
        bytes = at < 0 ? bytes.subarray(bytes.length) : bytes.subarray(at + 1);
        isSkipping = at < 0;
        line += at < 0 ? 0 : 1;
        continue;
      }
      const found = decided(findEnd(bytes, { hasQuotes, isLast, ...ends }), bytes);
      if (found.kind === 'unknown') break;
      yield* recordOf(found.kind, bytes.subarray(0, found.end), line);
      isSkipping = found.kind === 'long';
      const next = isSkipping ? found.end : found.end + 1;
      line += countLines(bytes.subarray(0, next), ends);
      bytes = bytes.subarray(next);
    }
    pending = bytes;
  }

  for await (const chunk of chunks) yield* take(chunk, false);
  yield* take(Buffer.alloc(0), true);
}
