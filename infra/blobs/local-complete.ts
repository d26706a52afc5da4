/** A blob is made of an upload's parts without copying a byte: from then on the parts' files are its content. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Rejection } from '../../domain/kernel/rejection';
import type { Blobs, PartTag, Upload } from '../ports/blobs';
import { fewestBytesOfPart, keyRefusal, mostParts, refusal } from './limits';
import { addContent, discard, infoOf, type LocalStore, putEntry } from './local-content';
import type { Begun, Entry, Part, Segment, Tables } from './local-index';
import { partKey } from './local-index';
import { begunOf, endUpload, etagOf } from './local-uploads';
import { unknownUpload } from './outcome';

const refusedParts = (detail: string) => left(refusal('upload-part-refused', detail));

/** The rows that the tags name, in order. */
const chosenOf = (
  tables: Tables,
  { uploadId }: Upload,
  tags: readonly PartTag[],
): Either<Rejection<'upload-part-refused'>, readonly Part[]> => {
  if (tags.length === 0) return refusedParts('An upload has at least one part.');
  const chosen: Part[] = [];
  for (const [index, { part, etag }] of tags.entries()) {
    if (part <= (tags[index - 1]?.part ?? 0)) return refusedParts('Name the parts once each, in ascending order.');
    const row = part > mostParts ? undefined : tables.parts.get(partKey(uploadId, part));
    if (row === undefined || etagOf(row) !== etag) return refusedParts('A part is not there, or has another ETag.');
    if (row.size < fewestBytesOfPart && index < tags.length - 1)
      return refusedParts('All parts but the last have at least 5 MiB.');
    chosen.push(row);
  }
  return right(chosen);
};

const entryOf = (chosen: readonly Part[], content: string, { contentType }: Begun): Omit<Entry, 'storedAt'> => {
  const hash = createHash('sha256');
  for (const { sha256 } of chosen) hash.update(Buffer.from(sha256, 'hex'));
  const size = chosen.reduce((sum, part) => sum + part.size, 0);
  return { content, size, etag: `"${hash.digest('hex')}-${chosen.length}"`, sha256: null, contentType };
};

type Completed = Either<
  Rejection<'upload-unknown' | 'upload-part-refused'>,
  { readonly entry: Entry; readonly unused: readonly string[] }
>;

const complete = (store: LocalStore, upload: Upload, tags: readonly PartTag[]): Completed => {
  const { tables } = store.index;
  const begun = begunOf(tables, upload);
  if (begun === undefined) return left(unknownUpload());
  const chosen = chosenOf(tables, upload, tags);
  if (isLeft(chosen)) return chosen;
  const entry = { ...entryOf(chosen.right, store.files.newName(), begun), storedAt: store.now() };
  const segments = chosen.right.map(({ file, size }): Segment => [file, size]);
  const over = endUpload(tables, upload.uploadId, new Set(segments.map(([file]) => file)));
  addContent(tables, entry.content, { segments, sha256: '' });
  return right({ entry, unused: [...over, ...putEntry(tables, upload.key, entry)] });
};

export const completeLocal =
  (store: LocalStore): Blobs['completeUpload'] =>
  async (upload, tags) => {
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    const written = await store.index.write(() => complete(store, upload, tags));
    if (isLeft(written)) return written;
    const completed = written.right;
    if (isLeft(completed)) return completed;
    await discard(store, completed.right.unused);
    return right(infoOf(upload.key, completed.right.entry));
  };
