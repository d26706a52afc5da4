/** Stores what an owner adds to a video in object storage, under its SHA-256, unless the video is deleted meanwhile. */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault, type Rejection, reject } from '../../../domain/kernel/rejection';
import { video } from '../../../domain/video/video/decider';
import { videoStream } from '../../../domain/video/video/events';
import type { BlobFault, BlobStore } from '../../../infra/ports/blob-store';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { NamedVideo } from '../../../infra/server/video/video-access';
import { loadStream, type StreamSource } from '../../kernel/load-stream';
import { type RemovableBlobs, removeUploaded } from '../../kernel/uploads/remove-uploaded';

export type SidecarBlobs = Pick<BlobStore, 'put'> & RemovableBlobs;

type StoreRefusal = Rejection<'video-unknown'> | BlobFault | EventStoreFault;

interface SidecarObject {
  readonly keyOf: (sha256: string) => string;
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** The removal of a deleted video lists its objects after the deletion was recorded: what is stored by then is in that list, what is stored later is removed here. */
export const storeSidecar = async (
  { blobs, ...source }: StreamSource & { readonly blobs: SidecarBlobs },
  { tenant, videoId }: NamedVideo,
  { keyOf, bytes, contentType }: SidecarObject,
): Promise<Either<StoreRefusal, string>> => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const key = keyOf(sha256);
  const stored = await blobs.put({ key, body: bytes, size: bytes.length, sha256, contentType });
  if (isLeft(stored)) {
    const refused = stored.left;
    // The bytes are of their own size and digest: a store that refuses them is at fault.
    return left(refused.kind === 'fault' ? refused : fault('blob-store-unavailable', refused.detail));
  }
  const loaded = await loadStream(source, video, videoStream(tenant, videoId));
  if (isLeft(loaded)) return loaded;
  if (loaded.right.kind !== 'deleted') return right(sha256);
  const removed = await removeUploaded(blobs, key);
  return isLeft(removed)
    ? left(fault('blob-store-unavailable', removed.left))
    : reject('video-unknown', 'The video was deleted.');
};
