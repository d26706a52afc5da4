/** What an upload reserved is settled when it is completed, and released when it is aborted or expires. */
import { policy, type Send, send } from '../../kernel/process';
import type { VideoStorageCommand } from '../storage/decider';
import { type VideoUploadEvent, videoUploads } from '../upload/events';

type SendStorage = Send<'video.storage', VideoStorageCommand>;

const isEnd = (type: VideoUploadEvent['type']): boolean =>
  type === 'VideoUploadCompleted' || type === 'VideoUploadAborted' || type === 'VideoUploadExpired';

export const accountStorageOnUploadEnded = policy<VideoUploadEvent, SendStorage>({
  name: 'account-storage-on-upload-ended',
  context: 'video',
  subscribes: [videoUploads],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (isEnd(type) ? data.videoId : undefined),
  answer: ({ event: { type, data } }) => {
    if (type === 'VideoUploadInitiated' || type === 'SourceUploadInitiated' || type === 'VideoPartsReceived') return [];
    const { ownerId, uploadId } = data;
    const of = { ownerId, uploadId };
    return type === 'VideoUploadCompleted'
      ? [send('video.storage', ownerId, { type: 'SettleVideoStorage', ...of, bytes: data.fileSize })]
      : [send('video.storage', ownerId, { type: 'ReleaseVideoStorage', ...of })];
  },
});
