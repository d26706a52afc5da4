/** The videos of a tenant are reconciled a day after its first upload, and a day after each reconciliation. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type Action, enqueueJob, policy, type Send, send } from '../../kernel/process';
import type { VideoReconciliationCommand } from '../reconciliation/decider';
import { reconciledLibrary, type VideoReconciliationEvent, videoReconciliations } from '../reconciliation/events';
import { type VideoUploadEvent, videoUploads } from '../upload/events';

const VideoReconciliation = record('VideoReconciliation', {});
export type VideoReconciliation = TypeOf<typeof VideoReconciliation>;

export const videoReconciliationQueue: JobQueue<VideoReconciliation> = {
  name: 'video-reconciliation',
  payload: VideoReconciliation,
};

const reconciliationSeconds = 86_400;

type SendBeginning = Send<'video.reconciliation', VideoReconciliationCommand>;

const isBeginning = (type: (VideoReconciliationEvent | VideoUploadEvent)['type']): boolean =>
  type === 'VideoReconciliationBegun' || type === 'VideosReconciled';

export const reconcileVideosOnReconciled = policy<VideoReconciliationEvent | VideoUploadEvent, SendBeginning>({
  name: 'reconcile-videos-on-reconciled',
  context: 'video',
  subscribes: [videoReconciliations, videoUploads],
  startFrom: 'first-event',
  key: ({ event: { type }, entityId }) => (isBeginning(type) || type === 'VideoUploadCompleted' ? entityId : undefined),
  answer: ({ event: { type } }): readonly Action<SendBeginning>[] => {
    if (isBeginning(type))
      return [enqueueJob(videoReconciliationQueue, {}, { delaySeconds: reconciliationSeconds, mostAttempts: 100 })];
    if (type !== 'VideoUploadCompleted') return [];
    return [send('video.reconciliation', reconciledLibrary, { type: 'BeginReconciliation' })];
  },
});
