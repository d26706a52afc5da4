import { isForgotten } from '../../../domain/kernel/secret';
import { type VideoReportEvent, videoReports } from '../../../domain/video/reports/events';
import { patchRow, projection, putRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type VideoReportRow, videoReportsView } from './view';

type Resolving = Extract<VideoReportEvent, { type: 'VideoReportsDismissed' | 'VideoReportsUpheld' }>;

const resolve = (
  { data: { reportIds, reason: resolution }, at: { tenantId, revision }, event }: RecordedEvent<Resolving>,
  state: VideoReportRow['state'],
) =>
  reportIds.flatMap((reportId) =>
    patchRow<VideoReportRow>({ tenantId, reportId }, { state, resolution, resolvedAt: event.occurredAt, revision }),
  );

const open = { state: 'open', resolution: null, resolvedAt: null } as const;

export const videoReportsProjection = projection(videoReportsView, [
  streamsOf(videoReports, {
    VideoReported: ({ data: { text, ...data }, at, event }) =>
      putRow<VideoReportRow>({
        ...{ ...data, text: isForgotten(text) ? null : text },
        ...{ ...open, createdAt: event.occurredAt, ...at },
      }),
    VideoReportsDismissed: (recorded) => resolve(recorded, 'dismissed'),
    VideoReportsUpheld: (recorded) => resolve(recorded, 'upheld'),
  }),
]);
