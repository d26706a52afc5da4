/** Videos, from the first attempt to upload them. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { VideoId, VideoUploadId } from '../../../domain/video/ids';
import { VideoContentType } from '../../../domain/video/upload/events';
import { type TableView, table } from '../../kernel/view';

export const VideoStatus = oneOf('VideoStatus', ['uploading', 'processing', 'ready', 'failed']);

export const VideoRow = record('VideoRow', {
  tenantId: TenantId,
  videoId: VideoId,
  ownerId: PrincipalId,
  /** As long as ciphertext of the longest title is. Null: the video's key is gone. */
  title: nullable(text('SealedVideoTitle', { maxLength: 1_600 })),
  /** Null: there is none, or the video's key is gone. */
  description: nullable(text('SealedVideoDescription', { maxLength: 16_000 })),
  status: VideoStatus,
  /** Of the source that is played, or else of the newest attempt. */
  uploadId: VideoUploadId,
  fileSize: integer(1),
  contentType: VideoContentType,
  uploadExpiresAt: Instant,
  uploadedAt: nullable(Instant),
  /** When another film took the place of the one before. */
  replacedAt: nullable(Instant),
  rawObjectKey: nullable(text('VideoRowKey', { maxLength: 1_024 })),
  /** Of the newest generation; 0 until the upload is completed. */
  generation: integer(0),
  /** The one that is played since it was ready; 0: none was. */
  playedGeneration: integer(0),
  durationMilliseconds: nullable(integer(0)),
  width: nullable(integer(1)),
  height: nullable(integer(1)),
  /** When the first rendition could be played. */
  playableAt: nullable(Instant),
  /** `upload`, or a stage of the processing; null unless it failed. */
  failedStage: nullable(text('VideoFailedStage', { maxLength: 64 })),
  failureCode: nullable(text('VideoRowFailureCode', { maxLength: 64 })),
  failureDetail: nullable(text('VideoRowFailure', { maxLength: 500 })),
  /** Below the video's prefix in object storage, as `g1/thumbnails/<digest>.jpg`: the poster that was found in the film. */
  foundPoster: nullable(text('FoundPosterName', { maxLength: 200 })),
  /** That it is of. */
  foundPosterGeneration: nullable(integer(1)),
  /** Whose poster is taken as soon as it is found: of another film, it is that of the video once it is played. */
  nextPosterGeneration: integer(0),
  /** The one that its owner chose instead. */
  chosenPoster: nullable(text('ChosenPosterName', { maxLength: 200 })),
  /** By persons who had not viewed it in the 24 hours before. */
  views: integer(0),
  /** All that met the rule of views. */
  plays: integer(0),
  createdAt: Instant,
  updatedAt: Instant,
  revision: integer(0),
});
export type VideoRow = TypeOf<typeof VideoRow>;

export const videosView: TableView<VideoRow> = table({
  name: 'video_videos',
  version: 4,
  personal: true,
  sealed: { encrypted: ['title', 'description'], digests: [] },
  row: VideoRow,
  columns: { fileSize: 'double precision', durationMilliseconds: 'double precision' },
  key: ['tenantId', 'videoId'],
  indexes: [
    ['tenantId', 'createdAt', 'videoId'],
    ['tenantId', 'ownerId', 'createdAt', 'videoId'],
  ],
});
