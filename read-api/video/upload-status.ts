/** How far an upload is: which parts object storage has, and which it lacks. */
import { isLeft } from 'fp-ts/Either';
import { Instant, integer, listOf, oneOf, record, text } from '../../domain/kernel/codec';
import { VideoId, VideoUploadId } from '../../domain/video/ids';
import { rawObjectKey } from '../../domain/video/keys';
import { videoLimits } from '../../domain/video/limits';
import { problemOf } from '../../infra/server/http/problem';
import { type Answer, type Identity, route } from '../../infra/server/http/routing/route';
import { videoStoreProblems } from '../../infra/server/video/problems';
import { missingParts, readStoredSource } from '../../infra/server/video/stored-parts';
import { requireOwnUpload } from '../../infra/server/video/uploads';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

const VideoUploadStatus = record('VideoUploadStatus', {
  videoId: VideoId,
  uploadId: VideoUploadId,
  status: oneOf('VideoUploadState', ['uploading', 'completed', 'aborted', 'expired']),
  partSizeBytes: integer(1),
  /** Of the right size; empty once the parts are one object. */
  uploaded: listOf(
    'UploadedVideoParts',
    record('UploadedVideoPart', {
      partNumber: integer(1, videoLimits.parts),
      ETag: text('UploadedPartEtag', { maxLength: 200 }),
      sizeBytes: integer(0),
    }),
    videoLimits.parts,
  ),
  missing: listOf('MissingVideoParts', integer(1, videoLimits.parts), videoLimits.parts),
  expiresAt: Instant,
});

const problems = {
  ...readProblems,
  ...videoStoreProblems,
  'upload-unknown': { status: 503, title: 'The upload is being completed or aborted' },
} as const;

interface NamedUpload {
  readonly videoId: VideoId;
  readonly uploadId?: VideoUploadId;
}

const answerStatus = async (
  { source, blobs }: VideoReading,
  identity: Identity,
  named: NamedUpload,
): Promise<Answer> => {
  const found = await requireOwnUpload(source, identity, named);
  if (isLeft(found)) return found.left;
  const { tenant, upload } = found.right;
  const { videoId, uploadId, kind, partSizeBytes, expiresAt } = upload;
  const shared = { videoId, uploadId, partSizeBytes, expiresAt };
  if (kind !== 'open') return { status: 200, body: { ...shared, status: kind, uploaded: [], missing: [] } };
  const stored = await readStoredSource(blobs, rawObjectKey(tenant, videoId, uploadId));
  if (isLeft(stored)) return problemOf(stored.left, problems);
  const status = 'uploading' as const;
  if (stored.right.kind === 'whole') return { status: 200, body: { ...shared, status, uploaded: [], missing: [] } };
  const parts = stored.right.kind === 'parts' ? stored.right.parts : [];
  const missing = missingParts(upload, parts);
  const lacks = new Set(missing);
  const uploaded = parts
    .filter(({ part }) => !lacks.has(part))
    .map(({ part, etag, size }) => ({ partNumber: part, ETag: etag, sizeBytes: size }));
  return { status: 200, body: { ...shared, status, uploaded, missing } };
};

const shared = {
  method: 'get' as const,
  access: { scopes },
  answers: { 200: { description: 'As object storage lists it now.', body: VideoUploadStatus } },
  problems,
};

export const getVideoUploadStatus = route<VideoReading>()({
  ...shared,
  path: '/api/videos/:videoId/upload/status',
  operation: 'getVideoUploadStatus',
  summary: 'Get how far the upload of a video is',
  description:
    'Of the newest attempt: the parts that object storage has, with their ETags, and the numbers of those that it lacks. Nothing is missing once the parts are one object.',
  params: VideoPath,
  handle: (reading, { params, identity }) => answerStatus(reading, identity, params),
});

export const findVideoUploadStatus = route<VideoReading>()({
  ...shared,
  path: '/api/videos/upload/status',
  operation: 'findVideoUploadStatus',
  summary: 'Get how far one upload of a video is',
  description: 'The same by both ids.',
  query: record('VideoUploadStatusQuery', { videoId: VideoId, uploadId: VideoUploadId }),
  handle: (reading, { query, identity }) => answerStatus(reading, identity, query),
});
