/** Parts that object storage does not join within a request are joined by a worker, which completes the upload. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy, type Send } from '../../kernel/process';
import { VideoId, VideoUploadId } from '../ids';
import { mostAttempts } from '../run-steps-on-video/process';
import { type VideoUploadEvent, videoUploads } from '../upload/events';

const UploadJoin = record('VideoUploadJoin', { videoId: VideoId, uploadId: VideoUploadId });
export type UploadJoin = TypeOf<typeof UploadJoin>;

export const uploadJoinQueue: JobQueue<UploadJoin> = { name: 'video-upload-join', payload: UploadJoin };

/** The request that began to join them may be about to end. */
const delaySeconds = 30;

export const joinPartsOnReceived = policy<VideoUploadEvent, Send>({
  name: 'join-parts-on-received',
  context: 'video',
  subscribes: [videoUploads],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (type === 'VideoPartsReceived' ? data.videoId : undefined),
  answer: ({ event: { type, data } }) => {
    if (type !== 'VideoPartsReceived') return [];
    const { videoId, uploadId } = data;
    return [enqueueJob(uploadJoinQueue, { videoId, uploadId }, { delaySeconds, mostAttempts })];
  },
});
