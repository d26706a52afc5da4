/** State of a video's upload, as far as decisions and reads need it, and its fold. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { Forgotten } from '../../kernel/secret';
import type { VideoId, VideoUploadId } from '../ids';
import type { VideoUploadEvent } from './events';

/** One attempt to upload a source. */
export interface UploadAttempt {
  readonly uploadId: VideoUploadId;
  readonly fileSize: number;
  readonly contentType: string;
  readonly partSizeBytes: number;
  readonly expiresAt: Instant;
}

export interface InitiatedUpload extends UploadAttempt {
  readonly kind: 'open' | 'completed' | 'aborted' | 'expired';
  readonly videoId: VideoId;
  readonly ownerId: PrincipalId;
  readonly attempt: number;
  readonly title: string | Forgotten;
  /** They are being joined. */
  readonly arePartsReceived: boolean;
  /** Of a source that takes the place of another one; undefined: the attempt is of the first source. */
  readonly sourceKey: string | undefined;
  /** The newest attempt to upload the first source, whose key names the video. */
  readonly first: UploadAttempt;
}

/** Of the newest attempt. */
export type VideoUploadState = { readonly kind: 'none' } | InitiatedUpload;

export const noUpload: VideoUploadState = { kind: 'none' };

const endedAs = {
  VideoUploadCompleted: 'completed',
  VideoUploadAborted: 'aborted',
  VideoUploadExpired: 'expired',
} as const;

export const evolve = (state: VideoUploadState, { type, data }: VideoUploadEvent): VideoUploadState => {
  if (type === 'VideoUploadInitiated') {
    const first = data;
    return { kind: 'open', ...data, sourceKey: undefined, arePartsReceived: false, first };
  }
  if (state.kind === 'none') return state;
  if (type === 'SourceUploadInitiated') return { ...state, ...data, kind: 'open', arePartsReceived: false };
  if (state.uploadId !== data.uploadId) return state;
  return type === 'VideoPartsReceived' ? { ...state, arePartsReceived: true } : { ...state, kind: endedAs[type] };
};
