/** Uploads in parts into a directory: each part is a file of its own until the upload is complete or over. */
import { isLeft, left, right } from 'fp-ts/Either';
import type { Blobs, PutPart, Upload } from '../ports/blobs';
import { carriedType, keyRefusal, largestPage, mostParts, partRefusal, sizeRefusal, unlessRefused } from './limits';
import { discard, forget, type LocalStore, receiveFile } from './local-content';
import { type Begun, keyOf, type Part, partKey, partOf, type Tables } from './local-index';
import { unknownUpload } from './outcome';

export const etagOf = ({ sha256 }: Part): string => `"${sha256}"`;

/** The key is asked for as well, as S3 does: an id alone opens nothing. */
export const begunOf = ({ uploads }: Tables, { key, uploadId }: Upload): Begun | undefined => {
  const begun = uploads.get(keyOf(uploadId.slice(0, 64)));
  return begun?.key === key ? begun : undefined;
};

const rows = ({ parts }: Tables, uploadId: string, after = 0) =>
  parts.getRange({ start: partKey(uploadId, after + 1), end: partKey(uploadId, mostParts + 1) });

export const beginLocal =
  ({ index, files, now }: LocalStore): Blobs['beginUpload'] =>
  async ({ key, contentType }) => {
    const refused = keyRefusal(key);
    if (refused !== undefined) return left(refused);
    const uploadId = files.newName();
    const begun = await index.write(() => {
      index.tables.uploads.putSync(keyOf(uploadId), { key, contentType: carriedType(contentType), begunAt: now() });
    });
    return isLeft(begun) ? begun : right({ key, uploadId });
  };

/** Undefined when the upload is not there; else the file that this part replaced. */
const enterPart = ({ index: { tables, write } }: LocalStore, { upload, part }: PutPart, received: Part) =>
  write((): readonly string[] | undefined => {
    if (begunOf(tables, upload) === undefined) return undefined;
    const key = partKey(upload.uploadId, part);
    const replaced = tables.parts.get(key);
    tables.parts.putSync(key, received);
    tables.files.putSync(keyOf(received.file), true);
    return replaced === undefined ? [] : forget(tables, [replaced.file]);
  });

export const putPartLocal =
  (store: LocalStore): Blobs['putPart'] =>
  async (request) => {
    const { upload, part, size } = request;
    const allowed = unlessRefused(keyRefusal(upload.key), partRefusal(part), sizeRefusal(size));
    if (isLeft(allowed)) return allowed;
    if (begunOf(store.index.tables, upload) === undefined) return left(unknownUpload());
    const received = await receiveFile(store, request);
    if (isLeft(received)) return received;
    const row = { ...received.right, size };
    const entered = await enterPart(store, request, row);
    if (isLeft(entered) || entered.right === undefined) {
      await discard(store, [row.file]);
      return isLeft(entered) ? entered : left(unknownUpload());
    }
    await discard(store, entered.right);
    return right({ part, size, etag: etagOf(row) });
  };

export const partsLocal =
  ({ index: { tables } }: LocalStore): Blobs['parts'] =>
  async (upload, after = 0) => {
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    if (begunOf(tables, upload) === undefined) return left(unknownUpload());
    const found = [...rows(tables, upload.uploadId, after).slice(0, largestPage + 1)];
    const parts = found
      .slice(0, largestPage)
      .map(({ key, value }) => ({ part: partOf(key), size: value.size, etag: etagOf(value) }));
    return right({ parts, next: found.length > largestPage ? (parts.at(-1)?.part ?? null) : null });
  };

/** Within a transaction: the upload is over; answers the files of its parts but for those kept. */
export const endUpload = (tables: Tables, uploadId: string, kept: ReadonlySet<string> = new Set()) => {
  const found = [...rows(tables, uploadId)];
  for (const { key } of found) tables.parts.removeSync(key);
  tables.uploads.removeSync(keyOf(uploadId));
  return forget(
    tables,
    found.map(({ value }) => value.file).filter((file) => !kept.has(file)),
  );
};

export const abortLocal =
  (store: LocalStore): Blobs['abortUpload'] =>
  async (upload) => {
    const { tables, write } = store.index;
    const refused = keyRefusal(upload.key);
    if (refused !== undefined) return left(refused);
    const unused = await write(() => (begunOf(tables, upload) === undefined ? [] : endUpload(tables, upload.uploadId)));
    if (isLeft(unused)) return unused;
    await discard(store, unused.right);
    return right(undefined);
  };
