/** Reads blobs with ranges and conditions, from files that are opened one after another. */
import { type FileHandle, open } from 'node:fs/promises';
import { left, right } from 'fp-ts/Either';
import type { BlobContent, BlobStore, GetBlob } from '../../../ports/blob-store';
import { type Span, spanOf } from '../../../server/http/streaming/byte-range';
import { aborted, BlobDamaged, blobDamaged, diskFault, noSuchRange, otherBlob, unknownBlob } from '../blob-faults';
import { readableOf, verifyDigest } from '../body-verification';
import { keyRefusal } from '../limits';
import { infoOf, type LocalStore } from './content';
import { type Content, type Entry, keyOf, type Segment } from './lmdb-index';

const refusalOf = (request: GetBlob, entry: Entry | undefined) => {
  if (entry === undefined) return unknownBlob();
  if (request.etag !== undefined && request.etag !== entry.etag) return otherBlob();
  return spanOf(request.range, entry.size) === undefined ? noSuchRange() : undefined;
};

const attempts = 5;

type Outcome = Awaited<ReturnType<BlobStore['get']>>;

/** Undefined when a file is gone: the blob was replaced or removed since it was looked up, or is damaged. */
const attemptGet = async (store: LocalStore, request: GetBlob): Promise<Outcome | undefined> => {
  const { entries, contents } = store.index.tables;
  const entry = entries.get(keyOf(request.key));
  const refused = refusalOf(request, entry);
  const span = spanOf(request.range, entry?.size ?? 0);
  if (refused !== undefined || entry === undefined || span === undefined) return left(refused ?? unknownBlob());
  const content = contents.get(keyOf(entry.content));
  if (content === undefined) return undefined;
  const reading = await openContent(store, { content, span });
  if (reading === undefined) return undefined;
  const { chunks, opened } = reading;
  const isWhole = entry.sha256 !== null && span.length === entry.size;
  const body = readableOf(isWhole ? verifyDigest(chunks, entry.sha256) : chunks, request.signal);
  body.once('close', () => void opened?.close().catch(() => undefined));
  return right({ info: infoOf(request.key, entry), ...span, body } satisfies BlobContent);
};

const lookUp = async (store: LocalStore, request: GetBlob): Promise<Outcome> => {
  for (let count = 0; count < attempts; count += 1) {
    const found = await attemptGet(store, request);
    if (found !== undefined) return found;
    // What another process has written is seen from the next turn of the event loop on.
    await new Promise(setImmediate);
  }
  return left(blobDamaged());
};

export const getLocal =
  (store: LocalStore): BlobStore['get'] =>
  async (request): Promise<Outcome> => {
    const refused = keyRefusal(request.key);
    if (refused !== undefined) return left(refused);
    if (request.signal?.aborted) return left(aborted());
    try {
      return await lookUp(store, request);
    } catch (error) {
      return left(diskFault(error));
    }
  };

const blockBytes = 256 * 1024;

/** The segments, and their bytes, within the span. */
const within = (
  segments: readonly Segment[],
  { first, length }: Span,
): readonly (Span & { readonly file: string })[] => {
  let start = 0;
  return segments.flatMap(([file, bytes]) => {
    const from = Math.max(first, start);
    const to = Math.min(first + length, start + bytes);
    const piece = { file, first: from - start, length: to - from };
    start += bytes;
    return piece.length > 0 ? [piece] : [];
  });
};

const readBlock = async (file: FileHandle, first: number, most: number): Promise<Buffer> => {
  const buffer = Buffer.allocUnsafe(Math.min(blockBytes, most));
  const { bytesRead } = await file.read(buffer, 0, buffer.length, first);
  if (bytesRead === 0) throw new BlobDamaged('A file of the blob is shorter than it was.');
  return buffer.subarray(0, bytesRead);
};

/** One block is being read while the one before is hashed and sent. */
async function* blocks(file: FileHandle, { first, length }: Span): AsyncGenerator<Buffer> {
  let reading = readBlock(file, first, length);
  for (let done = 0; done < length; ) {
    const block = await reading;
    done += block.length;
    if (done < length) {
      reading = readBlock(file, first + done, length - done);
      // Awaited in the next round, if there is one.
      reading.catch(() => undefined);
    }
    yield block;
  }
}

type Pieces = ReturnType<typeof within>;

const openNext = async ({ files }: LocalStore, name: string): Promise<FileHandle> => {
  try {
    return await open(files.pathOf(name), 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw Object.assign(new Error('The blob was removed while it was read.'), { code: 'blob-unknown' });
  }
};

/** Opens the first file at once, so that its errors precede the answer. */
async function* bytesOf(opened: FileHandle, pieces: Pieces, store: LocalStore): AsyncGenerator<Buffer> {
  let file: FileHandle | undefined = opened;
  try {
    for (const piece of pieces) {
      file ??= await openNext(store, piece.file);
      yield* blocks(file, piece);
      await file.close();
      file = undefined;
    }
  } finally {
    await file?.close();
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

interface ReadRequest {
  readonly content: Content;
  readonly span: Span;
}

interface OpenedContent {
  readonly chunks: AsyncIterable<Buffer>;
  /** Has to be closed even if the body is not read. */
  readonly opened?: FileHandle;
}

/** Undefined when a file is gone. */
const openContent = async (store: LocalStore, { content, span }: ReadRequest): Promise<OpenedContent | undefined> => {
  if ('bytes' in content) return { chunks: only(content.bytes.subarray(span.first, span.first + span.length)) };
  const pieces = within(content.segments, span);
  const [first] = pieces;
  if (first === undefined) return { chunks: only(Buffer.alloc(0)) };
  try {
    const opened = await open(store.files.pathOf(first.file), 'r');
    return { chunks: bytesOf(opened, pieces, store), opened };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
