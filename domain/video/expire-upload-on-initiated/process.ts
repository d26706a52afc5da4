/** An upload that is not completed in time expires; the bytes of one that expired or was aborted are removed. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type Action, cancel, enqueueJob, policy, type Send, schedule, send } from '../../kernel/process';
import { VideoId, VideoUploadId } from '../ids';
import { videoLimits } from '../limits';
import type { VideoUploadCommand } from '../upload/decider';
import { type VideoUploadEvent, videoUploads } from '../upload/events';

const UploadRemoval = record('VideoUploadRemoval', { videoId: VideoId, uploadId: VideoUploadId });
export type UploadRemoval = TypeOf<typeof UploadRemoval>;

export const uploadRemovalQueue: JobQueue<UploadRemoval> = { name: 'video-upload-removal', payload: UploadRemoval };

type SendExpiry = Send<'video.upload', VideoUploadCommand>;

export const expireUploadOnInitiated = policy<VideoUploadEvent, SendExpiry>({
  name: 'expire-upload-on-initiated',
  context: 'video',
  subscribes: [videoUploads],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (type === 'VideoPartsReceived' ? undefined : data.videoId),
  answer: ({ event: { type, data } }): readonly Action<SendExpiry>[] => {
    const { videoId, uploadId } = data;
    if (type === 'VideoUploadInitiated' || type === 'SourceUploadInitiated') {
      const { expiresAt } = data;
      const expire = { type: 'ExpireVideoUpload', videoId, uploadId, at: expiresAt } as const;
      return [schedule(uploadId, expiresAt, send('video.upload', videoId, expire))];
    }
    if (type === 'VideoPartsReceived') return [];
    if (type === 'VideoUploadCompleted') return [cancel(uploadId)];
    const removal = { videoId, uploadId };
    return [
      cancel(uploadId),
      enqueueJob(uploadRemovalQueue, removal),
      // An address that was signed before the end takes a part after it, and a part that was on its way may arrive.
      enqueueJob(uploadRemovalQueue, removal, { delaySeconds: videoLimits.partAddressSeconds + 300 }),
    ];
  },
});
