/** The parts of an upload become one object, once. What object storage has decides: a repetition, a race and a lost answer end alike. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Rejection } from '../../domain/kernel/rejection';
import type { InitiatedUpload } from '../../domain/video/upload/state';
import type { BlobFault, Upload, UploadedPart } from '../../infra/ports/blob-store';
import type { VideoUploadDeps } from './upload-source';

export type JoinRefusal =
  | Rejection<'blob-key-refused' | 'upload-unknown' | 'upload-part-refused' | 'video-size-differs'>
  | BlobFault;

type JoiningBlobs = Pick<VideoUploadDeps['blobs'], 'completeUpload' | 'head'>;

/** Of the joined parts. */
export const storedEtag = async (
  blobs: Pick<JoiningBlobs, 'head'>,
  key: string,
  { fileSize }: Pick<InitiatedUpload, 'fileSize'>,
): Promise<Either<JoinRefusal, string>> => {
  const stored = await blobs.head(key);
  if (isLeft(stored)) {
    const { left: refused } = stored;
    if (refused.code !== 'blob-unknown') return left({ ...refused, code: refused.code } as JoinRefusal);
    const detail = 'Object storage removed the parts meanwhile; upload them again.';
    return left({ kind: 'rejection', code: 'upload-unknown', detail });
  }
  const { size, etag } = stored.right;
  if (size === fileSize) return right(etag);
  const detail = `The upload is for ${fileSize} bytes; ${size} are stored.`;
  return left({ kind: 'rejection', code: 'video-size-differs', detail });
};

interface StoredParts {
  readonly key: string;
  readonly upload: InitiatedUpload;
  readonly pending: Upload;
  readonly parts: readonly UploadedPart[];
}

/** Answers the ETag of the whole. Large sources take minutes. */
export const joinParts = async (
  blobs: JoiningBlobs,
  { key, upload, pending, parts }: StoredParts,
): Promise<Either<JoinRefusal, string>> => {
  const completed = await blobs.completeUpload(pending, parts);
  // Another request completed it, or the answer to an earlier attempt of this one was lost.
  if (isLeft(completed) && completed.left.code !== 'upload-unknown') return left(completed.left as JoinRefusal);
  return storedEtag(blobs, key, upload);
};
