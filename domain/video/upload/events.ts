/** Events of the upload of a video's source. Parts and signed addresses are none: object storage knows which parts it has. */
import { Instant, integer, nameText, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { VideoId, VideoUploadId } from '../ids';
import { videoLimits } from '../limits';

export const VideoTitle = nameText('VideoTitle', { maxLength: videoLimits.titleLength, examples: ['Harvest 2026'] });
export const VideoContentType = text('VideoContentType', {
  maxLength: 127,
  pattern: '[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+-]+',
  examples: ['video/mp4'],
});

const upload = { videoId: VideoId, uploadId: VideoUploadId, ownerId: PrincipalId };
const source = { fileSize: integer(1, videoLimits.bytes), contentType: VideoContentType };

export const videoUploads = aggregate(
  { context: 'video', name: 'upload' },
  {
    VideoUploadInitiated: {
      v: 1,
      data: {
        ...upload,
        /** From 1: after an attempt that failed, the next one is of the same video. */
        attempt: integer(1),
        title: secret(VideoTitle, 'videoId'),
        ...source,
        partSizeBytes: integer(1),
        expiresAt: Instant,
      },
    },
    /** Of a source that is to take the place of the one that the video has. */
    SourceUploadInitiated: {
      v: 1,
      data: {
        ...upload,
        attempt: integer(1),
        /** The same as long as its owner means the same source. */
        sourceKey: text('VideoSourceKey', { maxLength: 64 }),
        ...source,
        partSizeBytes: integer(1),
        expiresAt: Instant,
      },
    },
    /** Object storage has every part, and takes longer than a request to join them. */
    VideoPartsReceived: { v: 1, data: upload },
    /** Object storage has the whole source. */
    VideoUploadCompleted: {
      v: 1,
      data: {
        ...upload,
        ...source,
        rawObjectKey: text('RawObjectKey', { maxLength: 1_024 }),
        etag: text('RawObjectEtag', { maxLength: 200 }),
      },
    },
    /** By its owner. */
    VideoUploadAborted: { v: 1, data: upload },
    VideoUploadExpired: { v: 1, data: upload },
  },
);
export type VideoUploadEvent = typeof videoUploads.Event;

/** By the id of the video. */
export const videoUploadStream = videoUploads.stream;
