/** The keys of a video that was recalled or deleted are destroyed. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type Action, enqueueJob, policy } from '../../kernel/process';
import { type VideoAccessEvent, videoAccess } from '../access/events';
import { VideoId } from '../ids';
import { type VideoEvent, videos } from '../video/events';

const KeyDestruction = record('VideoKeyDestruction', { videoId: VideoId });
export type KeyDestruction = TypeOf<typeof KeyDestruction>;

export const keyDestructionQueue: JobQueue<KeyDestruction> = { name: 'video-key-destruction', payload: KeyDestruction };

const endOf = ({ type, data }: VideoAccessEvent | VideoEvent): VideoId | undefined =>
  type === 'ContentKeysDestroyed' || type === 'VideoDeleted' ? data.videoId : undefined;

export const destroyKeysOnRecall = policy<VideoAccessEvent | VideoEvent, never>({
  name: 'destroy-keys-on-recall',
  context: 'video',
  subscribes: [videoAccess, videos],
  startFrom: 'first-event',
  key: ({ event }) => endOf(event),
  answer: ({ event }): readonly Action<never>[] => {
    const videoId = endOf(event);
    return videoId === undefined ? [] : [enqueueJob(keyDestructionQueue, { videoId })];
  },
});
