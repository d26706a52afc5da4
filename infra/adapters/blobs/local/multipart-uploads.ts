/** Multipart uploads into a directory. Each part is a file; a completed blob refers to the files of its parts, without a copy. */

import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { Rejection } from '../../../../domain/kernel/rejection';
import type { BlobStore, PartTag, PutPart, Upload } from '../../../ports/blob-store';
import { unknownUpload } from '../blob-faults';
import {
  contentTypeOrDefault,
  firstRejection,
  keyRefusal,
  maxPageSize,
  maxParts,
  minPartBytes,
  partRefusal,
  refusal,
  sizeRefusal,
} from '../limits';
import { addContent, forget, infoOf, type LocalStore, putEntry, receiveFile, removeFiles } from './content';
import {
  type Entry,
  keyOf,
  type Part,
  type PendingUpload,
  partKey,
  partOf,
  type Segment,
  type Tables,
} from './lmdb-index';

const etagOf = ({ sha256 }: Part): string => `"${sha256}"`;

/** Requires the key as well, as S3 does. */
const findUpload = ({ uploads }: Tables, { key, uploadId }: Upload): PendingUpload | undefined => {
  const begun = uploads.get(keyOf(uploadId.slice(0, 64)));
  return begun?.key === key ? begun : undefined;
};

const rows = ({ parts }: Tables, uploadId: string, after = 0) =>
  parts.getRange({ start: partKey(uploadId, after + 1), end: partKey(uploadId, maxParts + 1) });

export const beginLocal =
  ({ index, files, now }: LocalStore): BlobStore['beginUpload'] =>
  async ({ key, contentType }) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const uploadId = files.newName();
    const begun = await index.write(() => {
      index.tables.uploads.putSync(keyOf(uploadId), {
        key,
        contentType: contentTypeOrDefault(contentType),
        begunAt: now(),
      });
    });
    return isLeft(begun) ? begun : right({ key, uploadId });
  };

/** Undefined when the upload is not there; else the file that this part replaced. */
const enterPart = ({ index: { tables, write } }: LocalStore, { upload, part }: PutPart, received: Part) =>
  write((): readonly string[] | undefined => {
    if (findUpload(tables, upload) === undefined) return undefined;
    const key = partKey(upload.uploadId, part);
    const replaced = tables.parts.get(key);
    tables.parts.putSync(key, received);
    tables.files.putSync(keyOf(received.file), true);
    return replaced === undefined ? [] : forget(tables, [replaced.file]);
  });

export const putPartLocal =
  (store: LocalStore): BlobStore['putPart'] =>
  async (request) => {
    const { upload, part, size } = request;
    const allowed = firstRejection(keyRefusal(upload.key), partRefusal(part), sizeRefusal(size));
    if (isLeft(allowed)) return allowed;
    if (findUpload(store.index.tables, upload) === undefined) return left(unknownUpload());
    const received = await receiveFile(store, request);
    if (isLeft(received)) return received;
    const row = { ...received.right, size };
    const entered = await enterPart(store, request, row);
    if (isLeft(entered) || entered.right === undefined) {
      await removeFiles(store, [row.file]);
      return isLeft(entered) ? entered : left(unknownUpload());
    }
    await removeFiles(store, entered.right);
    return right({ part, size, etag: etagOf(row) });
  };

export const partsLocal =
  ({ index: { tables } }: LocalStore): BlobStore['parts'] =>
  async (upload, after = 0) => {
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    if (findUpload(tables, upload) === undefined) return left(unknownUpload());
    const found = [...rows(tables, upload.uploadId, after).slice(0, maxPageSize + 1)];
    const parts = found
      .slice(0, maxPageSize)
      .map(({ key, value }) => ({ part: partOf(key), size: value.size, etag: etagOf(value) }));
    return right({ parts, next: found.length > maxPageSize ? (parts.at(-1)?.part ?? null) : null });
  };

/** Within a transaction: ends the upload. Returns the files of its unused parts. */
export const endUpload = (tables: Tables, uploadId: string, used: ReadonlySet<string> = new Set()) => {
  const found = [...rows(tables, uploadId)];
  for (const { key } of found) tables.parts.removeSync(key);
  tables.uploads.removeSync(keyOf(uploadId));
  return forget(
    tables,
    found.map(({ value }) => value.file).filter((file) => !used.has(file)),
  );
};

export const abortLocal =
  (store: LocalStore): BlobStore['abortUpload'] =>
  async (upload) => {
    const { tables, write } = store.index;
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    const unused = await write(() =>
      findUpload(tables, upload) === undefined ? [] : endUpload(tables, upload.uploadId),
    );
    if (isLeft(unused)) return unused;
    await removeFiles(store, unused.right);
    return right(undefined);
  };

export const uploadsLocal =
  ({ index: { tables } }: LocalStore): BlobStore['uploads'] =>
  async (key) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const found = [...tables.uploads.getRange().filter(({ value }) => value.key === key)];
    const oldest = found.toSorted((one, other) => one.value.begunAt - other.value.begunAt).slice(0, maxPageSize);
    return right(
      oldest.map(({ key: uploadId, value }) => ({
        key,
        uploadId: uploadId.toString('utf8'),
        begunAt: new Date(value.begunAt).toISOString() as Instant,
      })),
    );
  };

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
    const row = part > maxParts ? undefined : tables.parts.get(partKey(uploadId, part));
    if (row === undefined || etagOf(row) !== etag) return refusedParts('A part is not there, or has another ETag.');
    if (row.size < minPartBytes && index < tags.length - 1)
      return refusedParts('All parts but the last have at least 5 MiB.');
    chosen.push(row);
  }
  return right(chosen);
};

const entryOf = (chosen: readonly Part[], content: string, { contentType }: PendingUpload): Omit<Entry, 'storedAt'> => {
  const hash = createHash('sha256');
  for (const { sha256 } of chosen) hash.update(Buffer.from(sha256, 'hex'));
  const size = chosen.reduce((sum, part) => sum + part.size, 0);
  return { content, size, etag: `"${hash.digest('hex')}-${chosen.length}"`, sha256: null, contentType };
};

type CompletedUpload = Either<
  Rejection<'upload-unknown' | 'upload-part-refused'>,
  { readonly entry: Entry; readonly unused: readonly string[] }
>;

const complete = (store: LocalStore, upload: Upload, tags: readonly PartTag[]): CompletedUpload => {
  const { tables } = store.index;
  const begun = findUpload(tables, upload);
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
  (store: LocalStore): BlobStore['completeUpload'] =>
  async (upload, tags) => {
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    const written = await store.index.write(() => complete(store, upload, tags));
    if (isLeft(written)) return written;
    const completed = written.right;
    if (isLeft(completed)) return completed;
    await removeFiles(store, completed.right.unused);
    return right(infoOf(upload.key, completed.right.entry));
  };
