/** What a file consists of: lines, CSV records or GeoJSON features. Each is bounded, and a faulty one does no harm to the next. */

export type FileRecord =
  /** `line` counts from 1: the line on which the record begins, or the feature's number. */
  | { readonly line: number; readonly bytes: Buffer }
  /** It cannot be read; `fault` is what was expected. */
  | { readonly line: number; readonly fault: string };

export type FileChunks = AsyncIterable<Buffer>;

/** Larger than any place within its bounds. */
export const maxRecordBytes = 262_144;
export const tooLong = `at most ${maxRecordBytes} bytes`;

/** The rest of the file cannot be read. The message is a sentence for the tenant, without content of the file. */
export class UnreadableFile extends Error {}
