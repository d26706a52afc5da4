/** A completed upload begins the life of its video. */
import { policy, type Send, send } from '../../kernel/process';
import { type VideoUploadEvent, videoUploads } from '../upload/events';
import type { VideoCommand } from '../video/decider';

type SendUpload = Send<'video.video', VideoCommand>;

export const startProcessingOnUploadCompleted = policy<VideoUploadEvent, SendUpload>({
  name: 'start-processing-on-upload-completed',
  context: 'video',
  subscribes: [videoUploads],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (type === 'VideoUploadCompleted' ? data.videoId : undefined),
  answer: ({ event: { type, data } }) =>
    type === 'VideoUploadCompleted' ? [send('video.video', data.videoId, { type: 'RecordVideoUpload', ...data })] : [],
});
