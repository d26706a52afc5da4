/** Texts of a JSON text sequence (RFC 7464), and so of a GeoJSON text sequence (RFC 8142): each may have several lines. */
import { type FileChunks, type FileRecord, maxRecordBytes, tooLong } from './file-record';
import { recordSeparator } from './file-start';

/** `line` is the text's number. */
export async function* splitSequence(chunks: FileChunks): AsyncGenerator<FileRecord> {
  let parts: Buffer[] = [];
  let size = 0;
  let count = 0;
  const take = (bytes: Buffer): void => {
    size += bytes.length;
    if (size <= maxRecordBytes) parts.push(bytes);
    else parts = [];
  };
  const finish = (): readonly FileRecord[] => {
    const isLong = size > maxRecordBytes;
    const bytes = Buffer.concat(parts);
    [parts, size] = [[], 0];
    if (!isLong && bytes.every((byte) => byte <= 0x20)) return [];
    count += 1;
    return [isLong ? { line: count, fault: tooLong } : { line: count, bytes }];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(recordSeparator); at >= 0; at = chunk.indexOf(recordSeparator, from)) {
      take(chunk.subarray(from, at));
      yield* finish();
      from = at + 1;
    }
    if (from < chunk.length) take(Buffer.from(chunk.subarray(from)));
  }
  yield* finish();
}
