/** Events of what the sources of an owner take up: reserved when an upload is initiated, settled or released by its end. */
import { Instant, integer } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { VideoUploadId } from '../ids';
import { videoLimits } from '../limits';

const reserved = { ownerId: PrincipalId, uploadId: VideoUploadId, bytes: integer(1, videoLimits.bytes) };

export const videoStorages = aggregate(
  { context: 'video', name: 'storage' },
  {
    VideoStorageReserved: { v: 1, data: { ...reserved, expiresAt: Instant } },
    /** The source is stored: its bytes are used from now on. */
    VideoStorageSettled: { v: 1, data: reserved },
    /** The upload was aborted, or has expired. */
    VideoStorageReleased: { v: 1, data: reserved },
    /** The source is removed; 0 bytes where nothing of it counted. */
    VideoStorageFreed: { v: 1, data: { ...reserved, bytes: integer(0, videoLimits.bytes) } },
  },
);
export type VideoStorageEvent = typeof videoStorages.Event;

/** By the id of the owner. */
export const videoStorageStream = videoStorages.stream;
