/** The upload of a file to object storage: whole by one request, or in parts; the store lists the parts that have arrived. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { type Rejection, reject } from '../../../domain/kernel/rejection';
import type { BlobFault, BlobStore, PendingUpload, Upload, UploadedPart } from '../../../infra/ports/blob-store';
import { bytesOfPart, partCount } from './file-parts';

export type FileBlobs = Pick<
  BlobStore,
  'head' | 'signPut' | 'signPart' | 'uploads' | 'beginUpload' | 'abortUpload' | 'parts' | 'completeUpload'
>;

/** A file on its way: where it goes, and its size. */
export interface UploadedFile {
  readonly key: string;
  readonly size: number;
}

export const contentType = 'application/octet-stream';

type Refusal = Rejection<'blob-key-refused' | 'file-incomplete' | 'upload-unknown' | 'upload-part-refused'> | BlobFault;
type Answer<Value> = Promise<Either<Refusal, Value>>;
type BegunAnswer<Value> = Promise<Either<Rejection<'blob-key-refused'> | BlobFault, Value>>;

/** Of several that were begun at once, all callers take the oldest. */
export const pendingUpload = async (
  blobs: FileBlobs,
  { key }: UploadedFile,
): BegunAnswer<PendingUpload | undefined> => {
  const found = await blobs.uploads(key);
  return isLeft(found) ? found : right(found.right[0]);
};

const beginUpload = async (blobs: FileBlobs, file: UploadedFile): BegunAnswer<Upload> => {
  const begun = await blobs.beginUpload({ key: file.key, contentType });
  if (isLeft(begun)) return begun;
  const oldest = await pendingUpload(blobs, file);
  if (isLeft(oldest)) return oldest;
  if (oldest.right === undefined || oldest.right.uploadId === begun.right.uploadId) return begun;
  const aborted = await blobs.abortUpload(begun.right);
  return isLeft(aborted) ? aborted : right(oldest.right);
};

/** The upload in parts of the file, begun where there is none. */
export const findOrBeginUpload = async (blobs: FileBlobs, file: UploadedFile): BegunAnswer<Upload> => {
  const pending = await pendingUpload(blobs, file);
  if (isLeft(pending)) return pending;
  return pending.right === undefined ? beginUpload(blobs, file) : right(pending.right);
};

/** Those of the size that the file's part has; a file of up to 8 GB has fewer than a page of them. */
const arrivedParts = async (blobs: FileBlobs, upload: Upload, size: number): Answer<readonly UploadedPart[]> => {
  const page = await blobs.parts(upload);
  return isLeft(page) ? page : right(page.right.parts.filter((part) => part.size === bytesOfPart(size, part.part)));
};

interface ArrivedPart {
  readonly part: number;
  readonly size: number;
}

const everyPart = (size: number): readonly ArrivedPart[] =>
  Array.from({ length: partCount(size) }, (_, index) => ({ part: index + 1, size: bytesOfPart(size, index + 1) ?? 0 }));

/** Undefined: the file is not there. */
const storedEtag = async (blobs: FileBlobs, { key }: UploadedFile): Answer<string | undefined> => {
  const stored = await blobs.head(key);
  if (!isLeft(stored)) return right(stored.right.etag);
  const refused = stored.left;
  return refused.code === 'blob-unknown' ? right(undefined) : left(refused as Refusal);
};

/** Begins the upload in parts or goes on with it. Answers which parts have arrived: all, where the file is there. */
export const resumeUpload = async (blobs: FileBlobs, file: UploadedFile): Answer<readonly ArrivedPart[]> => {
  const stored = await storedEtag(blobs, file);
  if (isLeft(stored)) return stored;
  if (stored.right !== undefined) return right(everyPart(file.size));
  const upload = await findOrBeginUpload(blobs, file);
  if (isLeft(upload)) return upload;
  const arrived = await arrivedParts(blobs, upload.right, file.size);
  return isLeft(arrived) ? arrived : right(arrived.right.map(({ part, size }) => ({ part, size })));
};

const incomplete = (arrived: readonly ArrivedPart[], size: number): Either<Refusal, never> => {
  const numbers = new Set(arrived.map(({ part }) => part));
  const missing = everyPart(size).filter(({ part }) => !numbers.has(part));
  return reject(
    'file-incomplete',
    `${missing.length} of ${partCount(size)} parts are missing, the first of them part ${missing[0]?.part}.`,
  );
};

/** Answers the etag of the whole file, which is completed from its parts where it was uploaded in parts. */
export const completeFile = async (blobs: FileBlobs, file: UploadedFile): Answer<string> => {
  const stored = await storedEtag(blobs, file);
  if (isLeft(stored)) return stored;
  if (stored.right !== undefined) return right(stored.right);
  const pending = await pendingUpload(blobs, file);
  if (isLeft(pending)) return pending;
  if (pending.right === undefined) return reject('file-incomplete', 'The file is not uploaded.');
  const arrived = await arrivedParts(blobs, pending.right, file.size);
  if (isLeft(arrived)) return arrived;
  if (arrived.right.length < partCount(file.size)) return incomplete(arrived.right, file.size);
  const completed = await blobs.completeUpload(pending.right, arrived.right);
  if (!isLeft(completed)) return right(completed.right.etag);
  if (completed.left.code !== 'upload-unknown') return left(completed.left);
  // Another request completed it.
  const again = await storedEtag(blobs, file);
  if (isLeft(again)) return again;
  return again.right === undefined ? left(completed.left) : right(again.right);
};
