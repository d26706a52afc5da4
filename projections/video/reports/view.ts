/** Reports of viewers about videos, and what became of them. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, nullable, oneOf, record, text } from '../../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { VideoId, VideoReportId } from '../../../domain/video/ids';
import { ModerationReason } from '../../../domain/video/moderation-reason';
import { ReportReason } from '../../../domain/video/reports/events';
import { type TableView, table } from '../../kernel/view';

export const VideoReportState = oneOf('VideoReportState', ['open', 'dismissed', 'upheld']);

export const VideoReportRow = record('VideoReportRow', {
  tenantId: TenantId,
  reportId: VideoReportId,
  videoId: VideoId,
  reporterId: PrincipalId,
  reason: ReportReason,
  /** As long as ciphertext of the longest text is. Null: there was none, or the reporter is forgotten. */
  text: nullable(text('SealedVideoReportText', { content: 'lines', maxLength: 4_000 })),
  state: VideoReportState,
  /** Null while it is open, and where the owner deleted the video. */
  resolution: nullable(ModerationReason),
  createdAt: Instant,
  resolvedAt: nullable(Instant),
  revision: integer(0),
});
export type VideoReportRow = TypeOf<typeof VideoReportRow>;

export const videoReportsView: TableView<VideoReportRow> = table({
  name: 'video_reports',
  version: 1,
  personal: true,
  sealed: { encrypted: ['text'], digests: [] },
  row: VideoReportRow,
  key: ['tenantId', 'reportId'],
  indexes: [
    ['tenantId', 'state', 'createdAt', 'reportId'],
    ['tenantId', 'reporterId', 'createdAt', 'reportId'],
  ],
});
