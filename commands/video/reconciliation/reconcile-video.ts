/** Compares what is stored of one video with what its streams name. Listed before the log is read, so that what happens meanwhile is no finding. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { VideoId } from '../../../domain/video/ids';
import type { VideoReconciliationCounts } from '../../../domain/video/reconciliation/events';
import { videoUpload } from '../../../domain/video/upload/decider';
import { videoUploadStream } from '../../../domain/video/upload/events';
import { video } from '../../../domain/video/video/decider';
import { videoStream } from '../../../domain/video/video/events';
import type { BlobEntry } from '../../../infra/ports/blob-store';
import { loadStream } from '../../kernel/load-stream';
import { removeUploaded } from '../../kernel/uploads/remove-uploaded';
import { type NamedObjects, namedObjects, type ReconciliationRun, type RecordedVideo } from './named-objects';

/** Younger ones may be of a step, an upload or a removal that is under way; players may have an address of an earlier manifest for seven hours. */
const graceMilliseconds = 86_400_000;

const readVideo = async (
  { deps, tenant }: ReconciliationRun,
  videoId: VideoId,
): Promise<Either<string, RecordedVideo>> => {
  const known = await loadStream(deps, video, videoStream(tenant, videoId));
  if (isLeft(known)) return left(known.left.detail);
  const upload = await loadStream(deps, videoUpload, videoUploadStream(tenant, videoId));
  if (isLeft(upload)) return left(upload.left.detail);
  return right({ videoId, video: known.right, upload: upload.right });
};

/** Required ones that were listed with another size, or not at all, and are not there now either. */
const missingOf = async (
  { deps: { blobs } }: ReconciliationRun,
  { required, unreadable }: NamedObjects,
  listed: ReadonlyMap<string, number>,
): Promise<Either<string, readonly string[]>> => {
  const missing = new Set(unreadable);
  for (const [key, size] of required) {
    const stored = listed.get(key);
    if (stored !== undefined && (size === null || size === stored)) continue;
    const found = await blobs.head(key);
    if (isLeft(found) && found.left.code !== 'blob-unknown') return left(found.left.detail);
    if (isLeft(found) || (size !== null && found.right.size !== size)) missing.add(key);
  }
  return right([...missing]);
};

export const reconcileVideo = async (
  run: ReconciliationRun,
  { videoId, objects }: { readonly videoId: VideoId; readonly objects: readonly BlobEntry[] },
): Promise<Either<string, VideoReconciliationCounts>> => {
  const { deps, tenant } = run;
  const known = await readVideo(run, videoId);
  if (isLeft(known)) return known;
  const named = await namedObjects(run, known.right);
  if (isLeft(named)) return named;
  const missing = await missingOf(run, named.right, new Map(objects.map(({ key, size }) => [key, size])));
  if (isLeft(missing)) return missing;
  if (missing.right.length > 0)
    deps.log.error(
      { tenant, videoId, count: missing.right.length, first: missing.right[0] },
      'objects of a video are missing',
    );
  const before = new Date(Date.parse(deps.clock.now()) - graceMilliseconds).toISOString();
  let strayObjects = 0;
  for (const { key, storedAt } of objects) {
    if (storedAt >= before || named.right.isNamed(key)) continue;
    const removed = await removeUploaded(deps.blobs, key);
    if (isLeft(removed)) return removed;
    strayObjects += removed.right;
  }
  return right({ strayObjects, missingObjects: missing.right.length });
};
