/**
 * Initiates an upload: the same key of the same owner is the same video, or the same new source of one, so that a client which lost the answer may
 * repeat the request.
 */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type * as t from 'io-ts';
import { Instant, integer, oneOf, record, text } from '../../domain/kernel/codec';
import { PrincipalId, type TenantId } from '../../domain/kernel/ids';
import { plusSeconds } from '../../domain/kernel/instant';
import { countParts } from '../../domain/kernel/upload-parts';
import { VideoId, VideoUploadId } from '../../domain/video/ids';
import { videoLimits } from '../../domain/video/limits';
import { type VideoStorageCommand, videoStorage } from '../../domain/video/storage/decider';
import { videoStorageStream } from '../../domain/video/storage/events';
import {
  firstAttempt,
  nextAttempt,
  type SourceState,
  sourceAttempt,
  type VideoUploadCommand,
  videoUpload,
} from '../../domain/video/upload/decider';
import { VideoContentType, VideoTitle, videoUploadStream } from '../../domain/video/upload/events';
import { partSizeOf } from '../../domain/video/upload/part-size';
import type { UploadAttempt, VideoUploadState } from '../../domain/video/upload/state';
import { video as videoRules } from '../../domain/video/video/decider';
import { videoStream } from '../../domain/video/video/events';
import { statusOf, type VideoState } from '../../domain/video/video/state';
import { invalidInput, type Problem, problem, problemOf } from '../../infra/server/http/problem';
import { videoUnknown } from '../../infra/server/video/problems';
import { commandRoute } from '../kernel/command-route';
import { derivedId } from '../kernel/deterministic-ids';
import { handle } from '../kernel/handle';
import { type Actor, callerOf } from '../kernel/handle-request';
import { loadStream } from '../kernel/load-stream';
import { initiationProblems } from './problems';
import { scopes, type VideoUploadDeps } from './upload-source';

const containers = new Set(['application/mp4', 'application/mxf', 'application/x-matroska']);

const refuseSource = (fileSize: number, contentType: string): Problem | undefined => {
  if (fileSize > videoLimits.bytes)
    return problemOf(
      {
        kind: 'rejection',
        code: 'video-too-large',
        detail: `fileSize: videos have at most ${videoLimits.bytes} bytes.`,
      },
      initiationProblems,
    );
  const type = contentType.toLowerCase();
  if (type.startsWith('video/') || containers.has(type)) return undefined;
  return problemOf(
    { kind: 'rejection', code: 'video-type-unsupported', detail: 'contentType: a type of video, such as video/mp4.' },
    initiationProblems,
  );
};

/** Before the upload is initiated: one that is there fits. What is reserved for none ends with its time. */
const reserve = async (
  deps: VideoUploadDeps,
  tenant: TenantId,
  {
    command,
    actor,
    correlationId,
  }: {
    readonly command: Extract<VideoStorageCommand, { type: 'ReserveVideoStorage' }>;
    readonly actor: Actor;
    readonly correlationId: string;
  },
): Promise<Problem | undefined> => {
  const { ownerId, uploadId, bytes } = command;
  const reserved = await handle(deps, videoStorage, {
    stream: videoStorageStream(tenant, ownerId),
    command,
    commandId: derivedId('video-storage', tenant, uploadId, 'reserved'),
    fingerprint: ['reserve-video-storage', uploadId, bytes],
    ...{ tenant, actor, correlationId },
  });
  return isLeft(reserved) ? problemOf(reserved.left, initiationProblems) : undefined;
};

const InitiatedVideoUpload = record('InitiatedVideoUpload', {
  videoId: VideoId,
  uploadId: VideoUploadId,
  status: oneOf('InitiatedVideoStatus', ['uploading', 'processing', 'ready']),
  partSizeBytes: integer(1),
  partCount: integer(1, videoLimits.parts),
  expiresAt: Instant,
});

const NewVideoUpload = record(
  'NewVideoUpload',
  {
    fileSize: integer(1),
    contentType: VideoContentType,
    idempotencyKey: text('VideoUploadKey', { maxLength: 500, examples: ['9f86d081884c7d65'] }),
  },
  {
    /** Of a new video. */
    title: VideoTitle,
    /** Whose film is replaced; its title stays. */
    videoId: VideoId,
  },
);
type NewVideoUpload = t.TypeOf<typeof NewVideoUpload>;

interface Initiation {
  readonly tenant: TenantId;
  readonly ownerId: PrincipalId;
  readonly at: Instant;
  readonly body: NewVideoUpload;
}

interface Streams {
  readonly upload: VideoUploadState;
  readonly video: VideoState;
}

const loadStreams = async (
  deps: VideoUploadDeps,
  tenant: TenantId,
  videoId: VideoId,
): Promise<Either<Problem, Streams>> => {
  const [upload, video] = await Promise.all([
    loadStream(deps, videoUpload, videoUploadStream(tenant, videoId)),
    loadStream(deps, videoRules, videoStream(tenant, videoId)),
  ]);
  if (isLeft(upload)) return left(problemOf(upload.left, {}));
  if (isLeft(video)) return left(problemOf(video.left, {}));
  return right({ upload: upload.right, video: video.right });
};

type InitiateCommand = Extract<VideoUploadCommand, { type: 'InitiateVideoUpload' | 'InitiateSourceUpload' }>;

/** What is decided, and the attempt that is there already. */
interface Initiated {
  readonly upload: VideoUploadState;
  readonly command: InitiateCommand;
  readonly known: UploadAttempt | undefined;
  readonly status: 'uploading' | 'processing' | 'ready';
}

const initiateFirst = async (
  deps: VideoUploadDeps,
  { tenant, ownerId, at, body: { fileSize, contentType, idempotencyKey } }: Initiation,
  title: string,
): Promise<Either<Problem, Initiated>> => {
  const videoId = derivedId('video', tenant, ownerId, idempotencyKey) as VideoId;
  const loaded = await loadStreams(deps, tenant, videoId);
  if (isLeft(loaded)) return loaded;
  const { upload, video } = loaded.right;
  const videoStatus = statusOf(video);
  const isFailed = videoStatus === 'failed';
  const known = firstAttempt(upload, isFailed);
  const expiresAt = known?.expiresAt ?? plusSeconds(at, videoLimits.uploadSeconds);
  const isFirst = upload.kind === 'none' || upload.sourceKey === undefined;
  const isUploading = known === undefined || (isFirst && upload.kind !== 'completed');
  return right({
    ...{ upload, known },
    command: { type: 'InitiateVideoUpload', videoId, ownerId, title, fileSize, contentType, expiresAt, isFailed },
    status: isUploading ? 'uploading' : videoStatus === 'ready' ? 'ready' : 'processing',
  });
};

/** As far as its newest source is; one whose upload is completed may not be known to the video yet. */
const sourceStateOf = ({ upload, video }: Streams): SourceState => {
  if (video.kind !== 'uploaded') return 'missing';
  if (upload.kind === 'completed' && !video.sources.has(upload.uploadId)) return 'in-processing';
  if (video.failure !== undefined) return 'failed';
  return video.isReady ? 'ready' : 'in-processing';
};

const initiateReplacement = async (
  deps: VideoUploadDeps,
  { tenant, ownerId, at, body: { fileSize, contentType, idempotencyKey } }: Initiation,
  videoId: VideoId,
): Promise<Either<Problem, Initiated>> => {
  const loaded = await loadStreams(deps, tenant, videoId);
  if (isLeft(loaded)) return loaded;
  const { upload, video } = loaded.right;
  if (upload.kind === 'none' || upload.ownerId !== ownerId || video.kind === 'deleted') return left(videoUnknown);
  const sourceKey = derivedId('video-source', tenant, videoId, idempotencyKey);
  const source = sourceStateOf(loaded.right);
  const known = sourceAttempt(upload, { sourceKey, source });
  const expiresAt = known?.expiresAt ?? plusSeconds(at, videoLimits.uploadSeconds);
  const isUploading = known === undefined || upload.kind !== 'completed';
  return right({
    ...{ upload, known },
    command: { type: 'InitiateSourceUpload', videoId, sourceKey, fileSize, contentType, expiresAt, source },
    status: isUploading ? 'uploading' : source === 'ready' ? 'ready' : 'processing',
  });
};

const initiationOf = async (deps: VideoUploadDeps, initiation: Initiation): Promise<Either<Problem, Initiated>> => {
  const { title, videoId } = initiation.body;
  if (videoId === undefined && title !== undefined) return initiateFirst(deps, initiation, title);
  if (videoId !== undefined && title === undefined) return initiateReplacement(deps, initiation, videoId);
  const expected =
    title === undefined ? 'the title of a new video, or a videoId' : 'no title beside a videoId: the title stays';
  return left(invalidInput([{ pointer: '/body/title', expected }]));
};

export const initiateVideoUpload = commandRoute<VideoUploadDeps>()({
  method: 'post',
  path: '/api/videos/upload/init',
  operation: 'initiateVideoUpload',
  summary: 'Initiate the upload of a video',
  description: `Cut the file into parts of \`partSizeBytes\`, have them signed (\`presignVideoParts\`), send them straight to object storage, then complete the upload. The same \`idempotencyKey\` of the same caller answers the same video, with its status; with another title, size or content type it is refused. After an upload that was aborted, expired or failed it begins another attempt, with another \`uploadId\`. With \`videoId\` in place of \`title\` the upload is of another source for a video of the caller that is ready or failed: what is ready plays on until everything is made of the new source. One such upload may be open: another is refused with 409 \`upload-open\`. The size is reserved of what the caller may store: 409 \`storage-quota-exceeded\` says what is left. Videos have at most ${videoLimits.bytes} bytes.`,
  scopes,
  sensitive: false,
  created: true,
  body: NewVideoUpload,
  answer: InitiatedVideoUpload,
  decider: videoUpload,
  problems: initiationProblems,
  prepare: async ({ body, tenantId: tenant, identity, at, commandId }, deps) => {
    const { principalId: ownerId } = identity;
    if (!PrincipalId.is(ownerId)) return left(problem('forbidden', 'The token’s principal cannot own videos.'));
    const { fileSize, contentType } = body;
    const refused = refuseSource(fileSize, contentType);
    if (refused !== undefined) return left(refused);
    const initiated = await initiationOf(deps, { tenant, ownerId, at, body });
    if (isLeft(initiated)) return initiated;
    const { upload, command, known, status } = initiated.right;
    const { videoId, expiresAt } = command;
    const decision = videoUpload.decide(command, upload);
    const uploadId = known?.uploadId ?? nextAttempt(videoId, upload).uploadId;
    // Nothing is reserved for what would be refused.
    if (!isLeft(decision) && known === undefined) {
      const reservation = { type: 'ReserveVideoStorage' as const, ownerId, uploadId, bytes: fileSize, expiresAt, at };
      const overQuota = await reserve(deps, tenant, {
        command: reservation,
        actor: callerOf(identity),
        correlationId: commandId,
      });
      if (overQuota !== undefined) return left(overQuota);
    }
    const partSizeBytes = known?.partSizeBytes ?? partSizeOf(fileSize);
    return right({
      stream: videoUploadStream(tenant, videoId),
      command,
      answer: {
        ...{ videoId, uploadId, partSizeBytes, expiresAt, status },
        partCount: countParts({ size: fileSize, partBytes: partSizeBytes }),
      },
    });
  },
});
