/** Removes what object storage has of a file: every stored version of every object, and uploads that were not completed. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { filePrefix, versionKey } from '../../../domain/files/content/keys';
import type { FileId, VersionId } from '../../../domain/files/ids';
import type { TenantId } from '../../../domain/kernel/ids';
import type { BlobStore } from '../../../infra/ports/blob-store';
import { listBlobs } from '../../kernel/uploads/list-blobs';
import { type RemovableBlobs, removeUploaded } from '../../kernel/uploads/remove-uploaded';

type ErasableBlobs = RemovableBlobs & Pick<BlobStore, 'list'>;

const keysBelow = async (blobs: ErasableBlobs, prefix: string): Promise<Either<string, readonly string[]>> => {
  const listed = await listBlobs(blobs, prefix);
  return isLeft(listed) ? listed : right(listed.right.map(({ key }) => key));
};

export interface StoredFile {
  readonly tenant: TenantId;
  readonly fileId: FileId;
  /** Whose bytes may be there although no list has them: as an unfinished upload, or as earlier versions of a removed object. */
  readonly versions: readonly VersionId[];
}

export const removeObjects = async (
  blobs: ErasableBlobs,
  { tenant, fileId, versions }: StoredFile,
): Promise<Either<string, number>> => {
  const listed = await keysBelow(blobs, filePrefix(tenant, fileId));
  if (isLeft(listed)) return listed;
  let sum = 0;
  for (const key of new Set([...versions.map((version) => versionKey(tenant, fileId, version)), ...listed.right])) {
    const removed = await removeUploaded(blobs, key);
    if (isLeft(removed)) return removed;
    sum += removed.right;
  }
  return right(sum);
};

export const countObjects = async (
  blobs: ErasableBlobs,
  { tenant, fileId, versions }: StoredFile,
): Promise<Either<string, number>> => {
  const listed = await keysBelow(blobs, filePrefix(tenant, fileId));
  if (isLeft(listed)) return listed;
  let sum = listed.right.length;
  for (const key of versions.map((version) => versionKey(tenant, fileId, version))) {
    const [stored, uploads] = await Promise.all([blobs.versions(key), blobs.uploads(key)]);
    if (isLeft(stored)) return left(stored.left.detail);
    if (isLeft(uploads)) return left(uploads.left.detail);
    sum += uploads.right.length + (listed.right.includes(key) ? 0 : stored.right.length);
  }
  return right(sum);
};
