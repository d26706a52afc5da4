/** What happens to videos becomes messages; a worker requests a delivery for each endpoint that has chosen them. */
import type { Instant } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy } from '../../kernel/process';
import { type VideoEvent, videos } from '../../video/video/events';
import { WebhookMessage } from '../delivery/events';

export const publicationQueue: JobQueue<WebhookMessage> = { name: 'webhook-publications', payload: WebhookMessage };

type Content = Pick<WebhookMessage, 'eventType' | 'data'>;

/** Undefined: it is not published. */
const contentOf = ({ type, data }: VideoEvent): Content | undefined => {
  if (type === 'VideoUploaded') {
    const { videoId, generation, uploadId, ownerId, fileSize, contentType } = data;
    return {
      eventType: 'video.uploaded',
      data: { videoId, generation, uploadId, ownerId, fileSize, contentType },
    };
  }
  if (type === 'VideoReady') {
    const { videoId, generation } = data;
    return { eventType: 'video.ready', data: { videoId, generation } };
  }
  // Of a video that plays on, its new source or codec has failed.
  if (type === 'VideoFailed' || type === 'GenerationFailed') {
    const { videoId, generation, stage, code } = data;
    return { eventType: 'video.failed', data: { videoId, generation, stage, code } };
  }
  return undefined;
};

const messageOf = (event: VideoEvent, eventId: string, occurredAt: Instant): WebhookMessage | undefined => {
  const content = contentOf(event);
  return content === undefined ? undefined : { eventId, occurredAt, ...content };
};

export const publishOnVideo = policy({
  name: 'publish-on-video',
  context: 'webhooks',
  subscribes: [videos],
  // Endpoints that are added later want no events from before.
  startFrom: 'first-run',
  key: ({ event, entityId }) => (contentOf(event) === undefined ? undefined : entityId),
  answer: ({ event, id, at }) => {
    const message = messageOf(event, id, at);
    return message === undefined ? [] : [enqueueJob(publicationQueue, message)];
  },
});
