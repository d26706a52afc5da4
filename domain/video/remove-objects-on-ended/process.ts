/** Objects of an expired source, a retired generation and a deleted video are removed by workers; what sources took up is free again. */
import type { TypeOf } from 'io-ts';
import { integer, nullable, record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type Action, enqueueJob, policy, type Send, send } from '../../kernel/process';
import { VideoId, VideoUploadId } from '../ids';
import type { VideoStorageCommand } from '../storage/decider';
import { type VideoEvent, videos } from '../video/events';

const ObjectRemoval = record(
  'VideoObjectRemoval',
  {
    videoId: VideoId,
    /** Null: a generation, or else the whole video. */
    uploadId: nullable(VideoUploadId),
  },
  { generation: integer(1) },
);
export type ObjectRemoval = TypeOf<typeof ObjectRemoval>;

export const objectRemovalQueue: JobQueue<ObjectRemoval> = { name: 'video-object-removal', payload: ObjectRemoval };

type SendStorage = Send<'video.storage', VideoStorageCommand>;

const isRemoved = (type: VideoEvent['type']): boolean =>
  type === 'SourceExpired' || type === 'GenerationRetired' || type === 'VideoDeleted';

export const removeObjectsOnEnded = policy<VideoEvent, SendStorage>({
  name: 'remove-objects-on-ended',
  context: 'video',
  subscribes: [videos],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (isRemoved(type) ? data.videoId : undefined),
  answer: ({ event: { type, data } }): readonly Action<SendStorage>[] => {
    if (type === 'GenerationRetired') {
      const { videoId, generation } = data;
      return [enqueueJob(objectRemovalQueue, { videoId, uploadId: null, generation })];
    }
    if (type !== 'SourceExpired' && type !== 'VideoDeleted') return [];
    const { videoId, ownerId } = data;
    const free = (uploadId: VideoUploadId): SendStorage =>
      send('video.storage', ownerId, { type: 'FreeVideoStorage', ownerId, uploadId });
    const uploadIds = type === 'SourceExpired' ? [data.uploadId] : data.uploadIds;
    return [
      enqueueJob(objectRemovalQueue, { videoId, uploadId: type === 'SourceExpired' ? data.uploadId : null }),
      ...uploadIds.map(free),
    ];
  },
});
