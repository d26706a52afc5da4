import { dayOf, videoViews } from '../../../domain/video/views/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type ViewDayRow, viewDaysView } from './view';

export const viewDaysProjection = projection(viewDaysView, [
  streamsOf(videoViews, {
    ViewsAggregated: ({ data: { videoId, minute, daySums: sums }, at }) =>
      putRow<ViewDayRow>({ videoId, day: dayOf(minute), sums, ...at }),
  }),
]);
