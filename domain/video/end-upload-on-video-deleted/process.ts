/** An upload of another source is aborted when its video is deleted. */
import { policy, type Send, send } from '../../kernel/process';
import type { VideoUploadCommand } from '../upload/decider';
import { type VideoEvent, videos } from '../video/events';

type SendEnd = Send<'video.upload', VideoUploadCommand>;

export const endUploadOnVideoDeleted = policy<VideoEvent, SendEnd>({
  name: 'end-upload-on-video-deleted',
  context: 'video',
  subscribes: [videos],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (type === 'VideoDeleted' ? data.videoId : undefined),
  answer: ({ event: { type, data } }) =>
    type === 'VideoDeleted'
      ? [send('video.upload', data.videoId, { type: 'EndOpenUpload', videoId: data.videoId })]
      : [],
});
