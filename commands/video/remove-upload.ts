/** Removes what object storage has of an upload that was aborted or has expired. */
import { isLeft, left, right } from 'fp-ts/Either';
import { TenantId } from '../../domain/kernel/ids';
import type { UploadRemoval } from '../../domain/video/expire-upload-on-initiated/process';
import { rawObjectKey } from '../../domain/video/keys';
import { videoUpload } from '../../domain/video/upload/decider';
import { videoUploadStream } from '../../domain/video/upload/events';
import { loadStream } from '../kernel/load-stream';
import { removeUploaded } from '../kernel/uploads/remove-uploaded';
import { again, type PerformJob, type WorkerAdapters } from '../kernel/work-queue/job-handler';

export const removeUpload =
  ({ store, blobs }: Pick<WorkerAdapters, 'store' | 'blobs'>): PerformJob<UploadRemoval> =>
  async ({ tenant, payload: { videoId, uploadId } }) => {
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const upload = await loadStream({ store }, videoUpload, videoUploadStream(tenant, videoId));
    if (isLeft(upload)) return again(upload.left.detail);
    const { right: state } = upload;
    // What is open or completed keeps its bytes; an earlier attempt ended before this one began.
    const isRetained =
      state.kind === 'none' || (state.uploadId === uploadId && state.kind !== 'aborted' && state.kind !== 'expired');
    if (isRetained) return right([]);
    const removed = await removeUploaded(blobs, rawObjectKey(tenant, videoId, uploadId));
    return isLeft(removed) ? again(removed.left) : right([]);
  };
