/** Removes what object storage has under a key: unfinished uploads, and every stored version. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { BlobStore } from '../../../infra/ports/blob-store';

export type RemovableBlobs = Pick<BlobStore, 'versions' | 'removeVersion' | 'uploads' | 'abortUpload'>;

const pageSize = 1_000;

interface Failure {
  readonly detail: string;
}

/** A call answers 1,000 at most; those are removed before it is called again. */
const removeAll = async <Entry>(
  list: () => Promise<Either<Failure, readonly Entry[]>>,
  remove: (entry: Entry) => Promise<Either<Failure, unknown>>,
): Promise<Either<string, number>> => {
  for (let removed = 0; ; ) {
    const found = await list();
    if (isLeft(found)) return left(found.left.detail);
    for (const entry of found.right) {
      const gone = await remove(entry);
      if (isLeft(gone)) return left(gone.left.detail);
      removed += 1;
    }
    if (found.right.length < pageSize) return right(removed);
  }
};

/** Answers how many. */
export const removeUploaded = async (blobs: RemovableBlobs, key: string): Promise<Either<string, number>> => {
  // An upload that is aborted first completes no more.
  const aborted = await removeAll(() => blobs.uploads(key), blobs.abortUpload);
  if (isLeft(aborted)) return aborted;
  const removed = await removeAll(
    () => blobs.versions(key),
    ({ versionId }) => blobs.removeVersion(key, versionId),
  );
  return isLeft(removed) ? removed : right(aborted.right + removed.right);
};
