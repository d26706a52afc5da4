/** Signs requests that send parts of a video's source to object storage. The addresses are neither logged nor recorded. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, listOf, record } from '../../domain/kernel/codec';
import { bytesOfCutPart, countParts } from '../../domain/kernel/upload-parts';
import { VideoId, VideoUploadId } from '../../domain/video/ids';
import { rawObjectKey } from '../../domain/video/keys';
import { videoLimits } from '../../domain/video/limits';
import type { InitiatedUpload } from '../../domain/video/upload/state';
import type { Upload } from '../../infra/ports/blob-store';
import { invalidInput, type Problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { cutSource } from '../../infra/server/video/stored-parts';
import { requireOwnUpload } from '../../infra/server/video/uploads';
import { findOrBeginUpload } from '../kernel/uploads/file-upload';
import { transferProblems } from './problems';
import { scopes, uploadSourceOf, type VideoUploadDeps } from './upload-source';

const PresignedPart = record('PresignedVideoPart', {
  partNumber: integer(1, videoLimits.parts),
  url: t.string,
  expiresAt: Instant,
});

const refused = (code: 'upload-completed' | 'upload-ended', detail: string): Problem =>
  problemOf({ kind: 'rejection', code, detail }, transferProblems);

const refuseState = ({ kind, expiresAt }: InitiatedUpload, now: Instant): Problem | undefined => {
  if (kind === 'completed') return refused('upload-completed', 'The upload is completed.');
  return kind === 'open' && expiresAt > now
    ? undefined
    : refused('upload-ended', 'The upload was aborted, or has expired; initiate it again.');
};

const refuseNumbers = (upload: InitiatedUpload, partNumbers: readonly number[]): Problem | undefined => {
  const count = countParts(cutSource(upload));
  const faults = partNumbers.flatMap((part, index) =>
    part > count ? [{ pointer: `/body/partNumbers/${index}`, expected: `a part of the video, 1 to ${count}` }] : [],
  );
  return faults.length === 0 ? undefined : invalidInput(faults);
};

interface PartsToSign {
  readonly source: InitiatedUpload;
  readonly pending: Upload;
  readonly partNumbers: readonly number[];
}

const signParts = async (
  { blobs }: VideoUploadDeps,
  { source, pending, partNumbers }: PartsToSign,
): Promise<Either<Problem, readonly t.TypeOf<typeof PresignedPart>[]>> => {
  const parts: t.TypeOf<typeof PresignedPart>[] = [];
  for (const partNumber of partNumbers) {
    const size = bytesOfCutPart(cutSource(source), partNumber) ?? 0;
    const seconds = videoLimits.partAddressSeconds;
    const signed = await blobs.signPart({ upload: pending, part: partNumber, size, seconds });
    if (isLeft(signed)) return left(problemOf(signed.left, transferProblems));
    const { url, expiresAt } = signed.right;
    parts.push({ partNumber, url, expiresAt });
  }
  return right(parts);
};

export const presignVideoParts = route<VideoUploadDeps>()({
  method: 'post',
  path: '/api/videos/upload/presign',
  operation: 'presignVideoParts',
  summary: 'Sign requests that upload parts of a video',
  description: `Send each part by PUT to its address within an hour, five to ten at once, in any order; it takes exactly the bytes of its part. A part that is sent again replaces the one before. At most ${videoLimits.presignedParts} numbers a call.`,
  access: { scopes },
  sensitive: false,
  body: record('VideoPartsToSign', {
    videoId: VideoId,
    uploadId: VideoUploadId,
    partNumbers: listOf('VideoPartNumbers', integer(1, videoLimits.parts), videoLimits.presignedParts, 1),
  }),
  answers: {
    200: {
      description: 'An address for each part, in the order of the numbers.',
      body: record('PresignedVideoParts', {
        parts: listOf('PresignedVideoPartList', PresignedPart, videoLimits.presignedParts),
        partSizeBytes: integer(1),
      }),
    },
  },
  problems: transferProblems,
  handle: async (deps, { body: { partNumbers, ...named }, identity }) => {
    const found = await requireOwnUpload(uploadSourceOf(deps), identity, named);
    if (isLeft(found)) return found.left;
    const { tenant, upload } = found.right;
    const refusal = refuseState(upload, deps.clock.now()) ?? refuseNumbers(upload, partNumbers);
    if (refusal !== undefined) return refusal;
    const key = rawObjectKey(tenant, upload.videoId, upload.uploadId);
    const pending = await findOrBeginUpload(deps.blobs, { key, size: upload.fileSize });
    if (isLeft(pending)) return problemOf(pending.left, transferProblems);
    const parts = await signParts(deps, { source: upload, pending: pending.right, partNumbers });
    if (isLeft(parts)) return parts.left;
    return { status: 200, body: { parts: parts.right, partSizeBytes: upload.partSizeBytes } };
  },
});
