import { videoViews } from '../../../domain/video/views/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type ViewMinuteRow, viewMinutesView } from './view';

export const viewMinutesProjection = projection(viewMinutesView, [
  streamsOf(videoViews, {
    ViewsAggregated: ({ data: { videoId, minute, minuteSums: sums }, at }) =>
      putRow<ViewMinuteRow>({ videoId, minute, sums, ...at }),
  }),
]);
