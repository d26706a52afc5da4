import { left, right } from 'fp-ts/Either';
import type { BlobContent, Blobs, GetBlob } from '../ports/blobs';
import { readableOf, verified } from './body';
import { keyRefusal } from './limits';
import { infoOf, type LocalStore } from './local-content';
import { type Entry, keyOf } from './local-index';
import { begin } from './local-read';
import { aborted, damaged, diskFault, noSuchRange, otherBlob, unknownBlob } from './outcome';
import { spanOf } from './range';

const refusalOf = (request: GetBlob, entry: Entry | undefined) => {
  if (entry === undefined) return unknownBlob();
  if (request.etag !== undefined && request.etag !== entry.etag) return otherBlob();
  return spanOf(request.range, entry.size) === undefined ? noSuchRange() : undefined;
};

const attempts = 5;

type Outcome = Awaited<ReturnType<Blobs['get']>>;

/** Undefined when a file is gone: the blob was replaced or removed since it was looked up, or is damaged. */
const attempt = async (store: LocalStore, request: GetBlob): Promise<Outcome | undefined> => {
  const { entries, contents } = store.index.tables;
  const entry = entries.get(keyOf(request.key));
  const refused = refusalOf(request, entry);
  const span = spanOf(request.range, entry?.size ?? 0);
  if (refused !== undefined || entry === undefined || span === undefined) return left(refused ?? unknownBlob());
  const content = contents.get(keyOf(entry.content));
  if (content === undefined) return undefined;
  const reading = await begin(store, { content, span });
  if (reading === undefined) return undefined;
  const { chunks, opened } = reading;
  const isWhole = entry.sha256 !== null && span.length === entry.size;
  const body = readableOf(isWhole ? verified(chunks, entry.sha256) : chunks, request.signal);
  body.once('close', () => void opened?.close().catch(() => undefined));
  return right({ info: infoOf(request.key, entry), ...span, body } satisfies BlobContent);
};

const lookUp = async (store: LocalStore, request: GetBlob): Promise<Outcome> => {
  for (let count = 0; count < attempts; count += 1) {
    const found = await attempt(store, request);
    if (found !== undefined) return found;
    // What another process has written is seen from the next turn of the event loop on.
    await new Promise(setImmediate);
  }
  return left(damaged());
};

export const getLocal =
  (store: LocalStore): Blobs['get'] =>
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
