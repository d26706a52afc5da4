/** The newest source of each video: whether it is stored, and until when. */
import * as t from 'io-ts';
import { Instant, integer, nullable, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { VideoId, VideoUploadId } from '../../../domain/video/ids';
import { type TableView, table } from '../../kernel/view';

export const VideoSourceRow = record('VideoSourceRow', {
  tenantId: TenantId,
  videoId: VideoId,
  uploadId: VideoUploadId,
  isStored: t.boolean,
  /** It stays after its time, until that is changed. */
  isRetained: t.boolean,
  /** Null: the video is not ready and has not failed. It is removed then, unless it is retained. */
  expiresAt: nullable(Instant),
  revision: integer(0),
});
export type VideoSourceRow = t.TypeOf<typeof VideoSourceRow>;

export const videoSourcesView: TableView<VideoSourceRow> = table({
  name: 'video_sources',
  version: 2,
  row: VideoSourceRow,
  key: ['tenantId', 'videoId'],
});
