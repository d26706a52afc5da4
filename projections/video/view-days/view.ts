/** What was watched of a video on each day (UTC). */
import type { TypeOf } from 'io-ts';
import { Instant, integer, record } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { VideoId } from '../../../domain/video/ids';
import { ViewSums } from '../../../domain/video/views/events';
import { type TableView, table } from '../../kernel/view';

const ViewDayRow = record('ViewDayRow', {
  tenantId: TenantId,
  videoId: VideoId,
  /** Its beginning. */
  day: Instant,
  sums: ViewSums,
  revision: integer(0),
});
export type ViewDayRow = TypeOf<typeof ViewDayRow>;

export const viewDaysView: TableView<ViewDayRow> = table({
  name: 'video_view_days',
  version: 1,
  row: ViewDayRow,
  key: ['tenantId', 'videoId', 'day'],
});
