/** Completes an upload: the parts become one object, once. A repetition, a race and a lost answer have the same answer. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { integer, listOf, oneOf, record, text } from '../../domain/kernel/codec';
import type { Rejection } from '../../domain/kernel/rejection';
import { VideoId, VideoUploadId } from '../../domain/video/ids';
import { rawObjectKey } from '../../domain/video/keys';
import { videoLimits } from '../../domain/video/limits';
import { videoUpload } from '../../domain/video/upload/decider';
import { videoUploadStream } from '../../domain/video/upload/events';
import type { InitiatedUpload } from '../../domain/video/upload/state';
import { invalidInput, type Problem, problemOf } from '../../infra/server/http/problem';
import { withinMilliseconds } from '../../infra/server/runtime/within-milliseconds';
import { readStoredSource } from '../../infra/server/video/stored-parts';
import { requireOwnUpload } from '../../infra/server/video/uploads';
import { commandRoute } from '../kernel/command-route';
import { type ClaimedPart, compareParts, describeNumbers, noDifferences } from './compare-parts';
import { transferProblems } from './problems';
import { joinParts, storedEtag } from './store-source';
import { scopes, uploadSourceOf, type VideoUploadDeps } from './upload-source';

const refuse = (refusal: Parameters<typeof problemOf<keyof typeof transferProblems>>[0]): Either<Problem, never> =>
  left(problemOf(refusal, transferProblems));

const refuseDoubled = (parts: readonly ClaimedPart[]): Problem | undefined => {
  const seen = new Set<number>();
  const faults = parts.flatMap(({ partNumber }, index) => {
    if (seen.has(partNumber)) return [{ pointer: `/body/parts/${index}/partNumber`, expected: 'each part once' }];
    seen.add(partNumber);
    return [];
  });
  return faults.length === 0 ? undefined : invalidInput(faults);
};

const incomplete = (texts: readonly (readonly [string, readonly number[]])[]): Rejection<'upload-incomplete'> => ({
  kind: 'rejection',
  code: 'upload-incomplete',
  detail: texts
    .filter(([, numbers]) => numbers.length > 0)
    .map(([what, numbers]) => `Parts ${what}: ${describeNumbers(numbers)}.`)
    .join(' '),
});

/** Well below the time after which a gateway gives a request up. */
const answerMilliseconds = 20_000;

/** The ETag of the whole source. `joining`: every part is there, and object storage takes longer to join them than a request; it goes on. */
const storeSource = async (
  { blobs, joinMilliseconds = answerMilliseconds }: VideoUploadDeps,
  {
    key,
    upload,
    claimed,
  }: { readonly key: string; readonly upload: InitiatedUpload; readonly claimed: readonly ClaimedPart[] },
): Promise<Either<Problem, { readonly etag: string } | 'joining'>> => {
  const source = await readStoredSource(blobs, key);
  if (isLeft(source)) return refuse(source.left);
  const { right: stored } = source;
  const parts = stored.kind === 'parts' ? stored.parts : [];
  const differences = stored.kind === 'whole' ? noDifferences : compareParts(upload, claimed, parts);
  const { missing, stale, wrongSize } = differences;
  if (missing.length + stale.length + wrongSize.length > 0)
    return refuse(
      incomplete([
        ['missing', missing],
        ['stored with another ETag', stale],
        ['of another size', wrongSize],
      ]),
    );
  const joining =
    stored.kind === 'parts'
      ? joinParts(blobs, { key, upload, pending: stored.upload, parts })
      : storedEtag(blobs, key, upload);
  const etag = await withinMilliseconds(joining, joinMilliseconds);
  if (etag === undefined) return right('joining');
  return isLeft(etag) ? refuse(etag.left) : right({ etag: etag.right });
};

export const completeVideoUpload = commandRoute<VideoUploadDeps>()({
  method: 'post',
  path: '/api/videos/upload/complete',
  operation: 'completeVideoUpload',
  summary: 'Complete the upload of a video',
  description:
    'With the ETag of each part, as object storage answered it. Parts that are missing, have another ETag or another size are named: 409 `upload-incomplete`. Repeated, also at once or after a lost answer, it answers the same. Where object storage takes long to join the parts, it answers all the same, and processing begins once they are joined.',
  scopes,
  sensitive: false,
  body: record('CompletedVideoParts', {
    videoId: VideoId,
    uploadId: VideoUploadId,
    parts: listOf(
      'CompletedVideoPartList',
      record('CompletedVideoPart', {
        partNumber: integer(1, videoLimits.parts),
        ETag: text('PartEtag', { maxLength: 200, examples: ['"5d41402abc4b2a76b9719d911017c592"'] }),
      }),
      videoLimits.parts,
      1,
    ),
  }),
  answer: record('CompletedVideoUpload', { videoId: VideoId, status: oneOf('CompletedVideoStatus', ['processing']) }),
  decider: videoUpload,
  problems: transferProblems,
  prepare: async ({ body: { parts: claimed, videoId, uploadId }, identity, at }, deps) => {
    const found = await requireOwnUpload(uploadSourceOf(deps), identity, { videoId, uploadId });
    if (isLeft(found)) return found;
    const doubled = refuseDoubled(claimed);
    if (doubled !== undefined) return left(doubled);
    const { tenant, upload } = found.right;
    const key = rawObjectKey(tenant, videoId, uploadId);
    // The decider answers uploads that have ended.
    const isAwaited = upload.kind === 'open' && upload.expiresAt > at;
    const isJoining = isAwaited && upload.arePartsReceived;
    const stored = isAwaited && !isJoining ? await storeSource(deps, { key, upload, claimed }) : right({ etag: '' });
    if (isLeft(stored)) return stored;
    const of = { videoId, uploadId, at };
    return right({
      stream: videoUploadStream(tenant, videoId),
      command:
        isJoining || stored.right === 'joining'
          ? { type: 'ReceiveVideoParts' as const, ...of }
          : { type: 'CompleteVideoUpload' as const, ...of, rawObjectKey: key, etag: stored.right.etag },
      answer: { videoId, status: 'processing' as const },
    });
  },
});

export const abortVideoUpload = commandRoute<VideoUploadDeps>()({
  method: 'delete',
  path: '/api/videos/:videoId/upload',
  operation: 'abortVideoUpload',
  summary: 'Abort the upload of a video',
  description:
    'What has arrived is removed, and its size is free again. Repeated, it has no effect; a completed upload is not aborted: 409 `upload-completed`.',
  scopes,
  sensitive: false,
  params: record('VideoUploadPath', { videoId: VideoId }),
  answer: record('AbortedVideoUpload', { videoId: VideoId, uploadId: VideoUploadId }),
  decider: videoUpload,
  problems: transferProblems,
  prepare: async ({ params: { videoId }, identity }, deps) => {
    const found = await requireOwnUpload(uploadSourceOf(deps), identity, { videoId });
    if (isLeft(found)) return found;
    const { tenant, upload } = found.right;
    const { uploadId } = upload;
    return right({
      stream: videoUploadStream(tenant, videoId),
      command: { type: 'AbortVideoUpload' as const, videoId, uploadId },
      answer: { videoId, uploadId },
    });
  },
});
