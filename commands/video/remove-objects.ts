/** Removes what object storage has of an expired source, a retired generation or a deleted video: every version, and unfinished uploads. Its count is the proof. */
import { isLeft, left, right } from 'fp-ts/Either';
import { TenantId } from '../../domain/kernel/ids';
import { generationPrefix, rawObjectKey, videoPrefix } from '../../domain/video/keys';
import type { ObjectRemoval } from '../../domain/video/remove-objects-on-ended/process';
import { type VideoCommand, video } from '../../domain/video/video/decider';
import { videoStream } from '../../domain/video/video/events';
import type { VideoState } from '../../domain/video/video/state';
import { derivedId } from '../kernel/deterministic-ids';
import { handle } from '../kernel/handle';
import { loadStream } from '../kernel/load-stream';
import { removeUploaded } from '../kernel/uploads/remove-uploaded';
import { again, type JobRun, type PerformJob, type WorkerAdapters } from '../kernel/work-queue/job-handler';

const pageSize = 1_000;

/** Pages from the beginning, as what is removed is in no list. Left: a sentence. */
const removeBelow = async ({ blobs }: WorkerAdapters, run: JobRun, prefix: string) => {
  for (let objects = 0; ; ) {
    const page = await blobs.list({ prefix, limit: pageSize });
    if (isLeft(page)) return left(page.left.detail);
    if (page.right.blobs.length === 0) return right(objects);
    for (const { key } of page.right.blobs) {
      if (run.signal.aborted) return left('The worker is ending.');
      const removed = await removeUploaded(blobs, key);
      if (isLeft(removed)) return removed;
      objects += removed.right;
    }
    await run.checkpoint();
  }
};

/** What is removed was ended by the log: what is played, or may be, is never in it. */
const isEnded = (state: VideoState, { uploadId, generation }: ObjectRemoval): boolean => {
  if (state.kind !== 'uploaded') return state.kind === 'deleted';
  if (generation !== undefined) return state.retiredGenerations.has(generation);
  return uploadId !== null && !state.storedUploads.includes(uploadId);
};

const proofOf = ({ videoId, uploadId, generation }: ObjectRemoval, objects: number): VideoCommand =>
  generation === undefined
    ? { type: 'RecordRemoval', videoId, uploadId, objects }
    : { type: 'RecordGenerationRemoval', videoId, generation, objects };

export const removeObjects =
  (deps: WorkerAdapters): PerformJob<ObjectRemoval> =>
  async ({ tenant, id, cause, payload }, run) => {
    const { videoId, uploadId, generation } = payload;
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const stream = videoStream(tenant, videoId);
    const loaded = await loadStream(deps, video, stream);
    if (isLeft(loaded)) return again(loaded.left.detail);
    if (!isEnded(loaded.right, payload)) return right([]);
    const prefix =
      generation === undefined ? videoPrefix(tenant, videoId) : generationPrefix({ tenant, videoId, generation });
    const removed =
      uploadId === null
        ? await removeBelow(deps, run, prefix)
        : await removeUploaded(deps.blobs, rawObjectKey(tenant, videoId, uploadId));
    if (isLeft(removed)) return again(removed.left);
    // Once object storage has it no more: edges would fetch it again.
    const purgedKey = `${tenant}/${videoId}${generation === undefined ? '' : `/g${generation}`}`;
    const purged =
      uploadId === null
        ? await deps.purgeEdges(purgedKey, { tenantId: tenant, requestId: cause.correlationId })
        : right(undefined);
    if (isLeft(purged)) return again(purged.left.detail);
    const recorded = await handle(deps, video, {
      ...{ stream, tenant, actor: 'system:work.video-object-removal', ...cause },
      command: proofOf(payload, removed.right),
      commandId: derivedId('video-object-removal', tenant, id),
    });
    return isLeft(recorded) ? again(recorded.left.detail) : right([]);
  };
