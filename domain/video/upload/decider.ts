/**
 * An upload is initiated once for a key of its owner, then completed, aborted or expired; after a failure the next attempt begins. A video that has a
 * source takes another one in the same way, one at a time.
 */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { VideoId, VideoUploadId } from '../ids';
import { type VideoUploadEvent, videoUploads } from './events';
import { partSizeOf } from './part-size';
import { evolve, type InitiatedUpload, noUpload, type UploadAttempt, type VideoUploadState } from './state';

interface OfUpload {
  readonly videoId: VideoId;
  readonly uploadId: VideoUploadId;
}

export type VideoUploadCommand =
  | {
      readonly type: 'InitiateVideoUpload';
      readonly videoId: VideoId;
      readonly ownerId: PrincipalId;
      readonly title: string;
      readonly fileSize: number;
      readonly contentType: string;
      readonly expiresAt: Instant;
      /** The video failed after its upload was completed. */
      readonly isFailed: boolean;
    }
  | {
      readonly type: 'InitiateSourceUpload';
      readonly videoId: VideoId;
      /** Of the key that its owner named it by. */
      readonly sourceKey: string;
      readonly fileSize: number;
      readonly contentType: string;
      readonly expiresAt: Instant;
      readonly source: SourceState;
    }
  | (OfUpload & {
      readonly type: 'CompleteVideoUpload';
      readonly rawObjectKey: string;
      readonly etag: string;
      readonly at: Instant;
    })
  /** Each of them was compared; they are joined by a worker. */
  | (OfUpload & { readonly type: 'ReceiveVideoParts'; readonly at: Instant })
  | (OfUpload & { readonly type: 'AbortVideoUpload' })
  /** Whichever is open: the video is deleted. */
  | { readonly type: 'EndOpenUpload'; readonly videoId: VideoId }
  | (OfUpload & { readonly type: 'ExpireVideoUpload'; readonly at: Instant });

/** Of the newest source: none is completely uploaded, it is being processed, the video is ready, or its newest generation failed. */
export type SourceState = 'missing' | 'in-processing' | 'ready' | 'failed';

export type VideoUploadRejection =
  | 'video-unknown'
  | 'upload-differs'
  | 'upload-ended'
  | 'upload-completed'
  | 'upload-open'
  | 'video-in-processing';

type Decision = Either<Rejection<VideoUploadRejection>, readonly VideoUploadEvent[]>;
type CommandOf<Type extends VideoUploadCommand['type']> = Extract<VideoUploadCommand, { type: Type }>;

/** A new attempt to upload the first source, rather than the one that is there. */
const beginsAttempt = (state: VideoUploadState, isFailed: boolean): boolean => {
  if (state.kind === 'none') return true;
  if (state.sourceKey !== undefined) return isFailed;
  return state.kind === 'aborted' || state.kind === 'expired' || (state.kind === 'completed' && isFailed);
};

/** The attempt that begins after this state. */
export const nextAttempt = (videoId: VideoId, state: VideoUploadState) => {
  const attempt = (state.kind === 'none' ? 0 : state.attempt) + 1;
  return { uploadId: `${videoId}-${attempt}` as VideoUploadId, attempt };
};

/** The attempt that `InitiateVideoUpload` answers, where it is there already. */
export const firstAttempt = (state: VideoUploadState, isFailed: boolean): UploadAttempt | undefined =>
  state.kind === 'none' || beginsAttempt(state, isFailed) ? undefined : state.first;

/** The attempt that `InitiateSourceUpload` answers, where it is there already. */
export const sourceAttempt = (
  state: VideoUploadState,
  { sourceKey, source }: { readonly sourceKey: string; readonly source: SourceState },
): UploadAttempt | undefined => {
  if (state.kind === 'none' || state.sourceKey !== sourceKey) return undefined;
  return state.kind === 'open' || (state.kind === 'completed' && source !== 'failed') ? state : undefined;
};

const uploadOpen = (detail: string): Decision => reject('upload-open', detail);
const otherOpen = 'Another source of the video is being uploaded: complete or abort that upload first.';

const initiate = (command: CommandOf<'InitiateVideoUpload'>, state: VideoUploadState): Decision => {
  const { type: _, isFailed, ...initiated } = command;
  const { videoId, title, fileSize, contentType } = command;
  if (
    state.kind !== 'none' &&
    (state.title !== title || state.first.fileSize !== fileSize || state.first.contentType !== contentType)
  )
    return reject('upload-differs', 'The key was used before for a video of another title, size or content type.');
  if (!beginsAttempt(state, isFailed)) return right([]);
  if (state.kind === 'open') return uploadOpen(otherOpen);
  const next = { ...nextAttempt(videoId, state), partSizeBytes: partSizeOf(fileSize) };
  return right([{ type: 'VideoUploadInitiated', data: { ...initiated, ...next } }]);
};

/** One source at a time: two that were processed at once would leave it to chance which of them is played. */
const initiateSource = (command: CommandOf<'InitiateSourceUpload'>, state: InitiatedUpload): Decision => {
  const { type: _, source, ...initiated } = command;
  const { videoId, fileSize, contentType, sourceKey } = command;
  const known = sourceAttempt(state, { sourceKey, source });
  if (known !== undefined)
    return known.fileSize === fileSize && known.contentType === contentType
      ? right([])
      : reject('upload-differs', 'The key was used before for a source of another size or content type.');
  if (source === 'missing') return uploadOpen('The first source of the video is not uploaded: complete that upload.');
  if (state.kind === 'open') return uploadOpen(otherOpen);
  if (source === 'in-processing')
    return reject('video-in-processing', 'The video is being processed: upload another source once that has ended.');
  const next = { ...nextAttempt(videoId, state), partSizeBytes: partSizeOf(fileSize), ownerId: state.ownerId };
  return right([{ type: 'SourceUploadInitiated', data: { ...initiated, ...next } }]);
};

const ended = (): Decision => reject('upload-ended', 'The upload was aborted, or has expired; initiate it again.');

const complete = (command: CommandOf<'CompleteVideoUpload'>, state: InitiatedUpload): Decision => {
  if (state.kind === 'completed') return right([]);
  if (state.kind !== 'open' || state.expiresAt <= command.at) return ended();
  const { videoId, uploadId, rawObjectKey, etag } = command;
  const { ownerId, fileSize, contentType } = state;
  const completed = { videoId, uploadId, ownerId, fileSize, contentType, rawObjectKey, etag };
  return right([{ type: 'VideoUploadCompleted', data: completed }]);
};

const receive = ({ videoId, uploadId, at }: CommandOf<'ReceiveVideoParts'>, state: InitiatedUpload): Decision => {
  if (state.kind === 'completed') return right([]);
  if (state.kind !== 'open' || state.expiresAt <= at) return ended();
  const { ownerId, arePartsReceived } = state;
  return right(arePartsReceived ? [] : [{ type: 'VideoPartsReceived', data: { videoId, uploadId, ownerId } }]);
};

const endOpen = ({ kind, videoId, uploadId, ownerId }: InitiatedUpload): Decision =>
  right(kind === 'open' ? [{ type: 'VideoUploadAborted', data: { videoId, uploadId, ownerId } }] : []);

const abort = (state: InitiatedUpload): Decision => {
  if (state.kind === 'completed') return reject('upload-completed', 'The upload is completed.');
  return endOpen(state);
};

const expire = (command: CommandOf<'ExpireVideoUpload'>, state: InitiatedUpload): Decision => {
  const { videoId, uploadId, at } = command;
  const { ownerId } = state;
  const isDue = state.kind === 'open' && state.expiresAt <= at;
  return right(isDue ? [{ type: 'VideoUploadExpired', data: { videoId, uploadId, ownerId } }] : []);
};

const decide = (command: VideoUploadCommand, state: VideoUploadState): Decision => {
  if (command.type === 'InitiateVideoUpload') return initiate(command, state);
  if (command.type === 'EndOpenUpload') return state.kind === 'none' ? right([]) : endOpen(state);
  if (state.kind === 'none') return reject('video-unknown', 'There is no such upload.');
  if (command.type === 'InitiateSourceUpload') return initiateSource(command, state);
  if (state.uploadId !== command.uploadId)
    // A timer may be of an attempt that was followed by another.
    return command.type === 'ExpireVideoUpload' ? right([]) : ended();
  switch (command.type) {
    case 'CompleteVideoUpload':
      return complete(command, state);
    case 'ReceiveVideoParts':
      return receive(command, state);
    case 'AbortVideoUpload':
      return abort(state);
    case 'ExpireVideoUpload':
      return expire(command, state);
  }
};

export const videoUpload: Decider<VideoUploadCommand, VideoUploadState, VideoUploadEvent, VideoUploadRejection> = {
  family: videoUploads,
  initial: noUpload,
  evolve,
  decide,
};
