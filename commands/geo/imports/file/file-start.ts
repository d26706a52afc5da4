/** Looks at how a file begins, before it is read: what no format of places is fails once, not line by line. */
import { type FileChunks, maxRecordBytes, UnreadableFile } from './file-record';

/** RFC 7464: begins each text of a JSON text sequence. */
export const recordSeparator = 0x1e;
const newline = 0x0a;
const carriageReturn = 0x0d;
const quote = 0x22;

export interface OpenedFile {
  /** The first line, or as much of it as a record may have. */
  readonly firstLine: Buffer;
  /** Of files of classic Mac OS, and of Excel for Mac ("CSV (Macintosh)"): lines end with CR alone. */
  readonly hasReturnsOnly: boolean;
  /** All of it, without a byte order mark. */
  readonly chunks: FileChunks;
}

const signatures: readonly (readonly [string, string])[] = [
  ['fffe', 'The file is UTF-16; save it as UTF-8.'],
  ['feff', 'The file is UTF-16; save it as UTF-8.'],
  ['1f8b', 'The file is compressed (gzip); upload what is in it.'],
  ['504b0304', 'The file is a ZIP archive or a spreadsheet (xlsx, ods); upload what is in it, as CSV.'],
  ['28b52ffd', 'The file is compressed (Zstandard); upload what is in it.'],
  ['50415231', 'The file is Parquet; save it as CSV, JSON lines or GeoJSON.'],
  ['53514c697465', 'The file is an SQLite database (GeoPackage); save it as CSV or GeoJSON.'],
];

const refuseOthers = (start: Buffer): void => {
  const hex = start.subarray(0, 8).toString('hex');
  const [, reason] = signatures.find(([signature]) => hex.startsWith(signature)) ?? [];
  if (reason !== undefined) throw new UnreadableFile(reason);
  if (start.subarray(0, 512).toString('utf8').trimStart().startsWith('<'))
    throw new UnreadableFile(
      'The file is HTML or XML, not a file of places. Perhaps a web page was saved instead of the file.',
    );
};

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/** Where the first line ends, in CSV outside of quotes; undefined: not yet known. */
const firstEnd = (
  bytes: Buffer,
  { hasQuotes, isLast }: { readonly hasQuotes: boolean; readonly isLast: boolean },
): number | undefined => {
  let isQuoted = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote && hasQuotes) isQuoted = !isQuoted;
    if (isQuoted || (byte !== newline && byte !== carriageReturn)) continue;
    return byte === newline || at + 1 < bytes.length || isLast ? at : undefined;
  }
  return isLast || bytes.length > maxRecordBytes ? bytes.length : undefined;
};

async function* chained(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value;
}

/** Throws `UnreadableFile` for what is no text. */
export const openFile = async (
  chunks: FileChunks,
  { hasQuotes }: { readonly hasQuotes: boolean },
): Promise<OpenedFile> => {
  const rest = chunks[Symbol.asyncIterator]();
  const parts: Buffer[] = [];
  let [start, end]: [Buffer, number | undefined] = [Buffer.alloc(0), undefined];
  while (end === undefined) {
    const next = await rest.next();
    const isLast = next.done === true;
    if (next.done !== true) parts.push(next.value);
    start = Buffer.concat(parts);
    end = firstEnd(start, { hasQuotes, isLast });
  }
  refuseOthers(start);
  const isMarked = start.subarray(0, 3).equals(byteOrderMark);
  const firstLine = start.subarray(isMarked ? 3 : 0, end);
  const hasReturnsOnly = start[end] === carriageReturn && end + 1 < start.length && start[end + 1] !== newline;
  return { firstLine, hasReturnsOnly, chunks: chained(isMarked ? start.subarray(3) : start, rest) };
};
