/** Events of reports about a video: a viewer has one that is open at a time, and administrators resolve all of a video together. */
import type * as t from 'io-ts';
import { listOf, nullable, oneOf, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { VideoId, VideoReportId } from '../ids';
import { videoLimits } from '../limits';
import { ModerationReason } from '../moderation-reason';

export const ReportReason = oneOf('VideoReportReason', [
  'copyright',
  'sexual',
  'violent',
  'hateful',
  'harassing',
  'misleading',
  'personal',
  'other',
]);
export type ReportReason = t.TypeOf<typeof ReportReason>;

export const ReportText = text('VideoReportText', {
  content: 'lines',
  maxLength: videoLimits.reportLength,
  examples: ['It is my film, of 2019.'],
});

const resolved = {
  videoId: VideoId,
  reportIds: listOf('ResolvedVideoReports', VideoReportId, videoLimits.openReports, 1),
};

export const videoReports = aggregate(
  { context: 'video', name: 'reports', id: VideoId },
  {
    VideoReported: {
      v: 1,
      data: {
        videoId: VideoId,
        reportId: VideoReportId,
        reporterId: PrincipalId,
        reason: ReportReason,
        text: secret(nullable(ReportText), 'reporterId'),
      },
    },
    VideoReportsDismissed: { v: 1, data: { ...resolved, reason: ModerationReason, dismissedBy: PrincipalId } },
    /** The video is taken down, or with a null reason deleted by its owner. */
    VideoReportsUpheld: { v: 1, data: { ...resolved, reason: nullable(ModerationReason) } },
  },
);
export type VideoReportEvent = typeof videoReports.Event;

export const { stream: videoReportsStream } = videoReports;
