/** What was watched of a video in each minute. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { VideoId } from '../../../domain/video/ids';
import { ViewSums } from '../../../domain/video/views/events';
import { type TableView, table } from '../../kernel/view';

const ViewMinuteRow = record('ViewMinuteRow', {
  tenantId: TenantId,
  videoId: VideoId,
  /** Its beginning. */
  minute: Instant,
  sums: ViewSums,
  revision: integer(0),
});
export type ViewMinuteRow = TypeOf<typeof ViewMinuteRow>;

export const viewMinutesView: TableView<ViewMinuteRow> = table({
  name: 'video_view_minutes',
  version: 1,
  row: ViewMinuteRow,
  key: ['tenantId', 'videoId', 'minute'],
});
