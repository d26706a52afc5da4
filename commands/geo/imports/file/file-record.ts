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

export interface RecordBuffer {
  readonly add: (bytes: Buffer) => void;
  readonly isEmpty: () => boolean;
  /** The bytes since the last call; undefined when they were more than a record may have. */
  readonly take: () => Buffer | undefined;
}

/** Collects the bytes of one record after another. Of one that is too long nothing is kept. */
export const createRecordBuffer = (): RecordBuffer => {
  let parts: Buffer[] = [];
  let size = 0;
  return {
    add: (bytes) => {
      size += bytes.length;
      if (size <= maxRecordBytes) parts.push(bytes);
      else parts = [];
    },
    isEmpty: () => size === 0,
    take: () => {
      const bytes = size > maxRecordBytes ? undefined : Buffer.concat(parts);
      [parts, size] = [[], 0];
      return bytes;
    },
  };
};

/** The rest of the file cannot be read. The message is a sentence for the tenant, without content of the file. */
export class UnreadableFile extends Error {}
