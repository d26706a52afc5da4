/** Texts of a JSON text sequence (RFC 7464), and so of a GeoJSON text sequence (RFC 8142): each may have several lines. */
import { createRecordBuffer, type FileChunks, type FileRecord, tooLong } from './file-record';
import { recordSeparator } from './file-start';

/** `line` is the text's number. */
export async function* splitSequence(chunks: FileChunks): AsyncGenerator<FileRecord> {
  const buffer = createRecordBuffer();
  let count = 0;
  const finish = (): readonly FileRecord[] => {
    const bytes = buffer.take();
    if (bytes?.every((byte) => byte <= 0x20) === true) return [];
    count += 1;
    return [bytes === undefined ? { line: count, fault: tooLong } : { line: count, bytes }];
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(recordSeparator); at >= 0; at = chunk.indexOf(recordSeparator, from)) {
      buffer.add(chunk.subarray(from, at));
      yield* finish();
      from = at + 1;
    }
    if (from < chunk.length) buffer.add(Buffer.from(chunk.subarray(from)));
  }
  yield* finish();
}
