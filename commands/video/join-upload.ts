/** Joins the parts of an upload in a worker, where object storage takes longer than a request, and completes the upload. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { TenantId } from '../../domain/kernel/ids';
import type { UploadJoin } from '../../domain/video/join-parts-on-received/process';
import { rawObjectKey } from '../../domain/video/keys';
import { videoUpload } from '../../domain/video/upload/decider';
import { videoUploadStream } from '../../domain/video/upload/events';
import type { InitiatedUpload } from '../../domain/video/upload/state';
import { missingParts, readStoredSource } from '../../infra/server/video/stored-parts';
import { derivedId } from '../kernel/deterministic-ids';
import { handle } from '../kernel/handle';
import { loadStream } from '../kernel/load-stream';
import { again, type JobFailure, type PerformJob, type WorkerAdapters } from '../kernel/work-queue/job-handler';

import { joinParts, storedEtag } from './store-source';

/** Left: it is tried again until the upload expires. */
const wholeEtag = async (
  { blobs }: Pick<WorkerAdapters, 'blobs'>,
  { key, upload }: { readonly key: string; readonly upload: InitiatedUpload },
): Promise<Either<JobFailure, string>> => {
  const source = await readStoredSource(blobs, key);
  if (isLeft(source)) return again(source.left.detail);
  if (source.right.kind === 'absent') return again('Object storage has no parts of the video.');
  if (source.right.kind === 'parts' && missingParts(upload, source.right.parts).length > 0)
    return again('Object storage lacks parts of the video.');
  const etag =
    source.right.kind === 'whole'
      ? await storedEtag(blobs, key, upload)
      : await joinParts(blobs, { key, upload, pending: source.right.upload, parts: source.right.parts });
  return isLeft(etag) ? again(etag.left.detail) : etag;
};

export const joinUpload =
  (deps: WorkerAdapters): PerformJob<UploadJoin> =>
  async ({ tenant, id, cause, payload: { videoId, uploadId } }) => {
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const stream = videoUploadStream(tenant, videoId);
    const loaded = await loadStream(deps, videoUpload, stream);
    if (isLeft(loaded)) return again(loaded.left.detail);
    const upload = loaded.right;
    if (upload.kind !== 'open' || upload.uploadId !== uploadId) return right([]);
    const key = rawObjectKey(tenant, videoId, uploadId);
    const etag = await wholeEtag(deps, { key, upload });
    if (isLeft(etag)) return etag;
    const completed = { videoId, uploadId, rawObjectKey: key, etag: etag.right, at: deps.clock.now() };
    const recorded = await handle(deps, videoUpload, {
      ...{ stream, tenant, actor: 'system:work.video-upload-join', ...cause },
      command: { type: 'CompleteVideoUpload', ...completed },
      commandId: derivedId('video-upload-join', tenant, id),
    });
    // An upload that expired meanwhile is removed.
    return isLeft(recorded) && recorded.left.kind === 'fault' ? again(recorded.left.detail) : right([]);
  };
