/** Open reports of a video are upheld when it is taken down or deleted. */
import { policy, type Send, send } from '../../kernel/process';
import type { VideoReportCommand } from '../reports/decider';
import { type VideoEvent, videos } from '../video/events';

type SendClosing = Send<'video.reports', VideoReportCommand>;

export const closeReportsOnVideoEnded = policy<VideoEvent, SendClosing>({
  name: 'close-reports-on-video-ended',
  context: 'video',
  subscribes: [videos],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (type === 'VideoTakenDown' || type === 'VideoDeleted' ? data.videoId : undefined),
  answer: ({ event: { type, data } }) => {
    if (type !== 'VideoTakenDown' && type !== 'VideoDeleted') return [];
    const { videoId } = data;
    const reason = type === 'VideoTakenDown' ? data.reason : null;
    return [send('video.reports', videoId, { type: 'UpholdVideoReports', videoId, reason })];
  },
});
