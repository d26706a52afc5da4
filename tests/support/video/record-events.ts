/** Appends events to streams of videos, as commands would have: for tests of what reads them. */
import { randomUUID } from 'node:crypto';
import { principalStream, principals } from '../../../domain/identity/principal/events';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import type { VideoId, VideoUploadId } from '../../../domain/video/ids';
import { type VideoEvent, videoStream, videos } from '../../../domain/video/video/events';
import type { EventStore } from '../../../infra/ports/event-store';
import { noon } from '../../editor/documents/examples';
import { metadataOf } from '../../editor/documents/routes/fixture';
import { expectRight } from '../domain/expect-right';

const tenant = 'acme' as TenantId;

export const digestOf = (letter: string): string => letter.repeat(64);

export interface RecordedVideo {
  readonly videoId: VideoId;
  readonly generation: number;
}

/** What a video has whose first rendition is published. */
export const playableEvents = ({ videoId, generation }: RecordedVideo, ownerId = 'ada'): readonly VideoEvent[] => [
  {
    type: 'VideoUploaded',
    data: {
      ...{ videoId, generation, ownerId: ownerId as never, uploadId: `${videoId}-${generation}` as VideoUploadId },
      ...{ rawObjectKey: `videos/acme/${videoId}/raw`, etag: '"1"', fileSize: 9, contentType: 'video/mp4' },
    },
  },
  {
    type: 'VideoProbed',
    data: {
      ...{ videoId, generation, durationMilliseconds: 61_400, width: 640, height: 360 },
      descriptionSha256: digestOf('e'),
    },
  },
  {
    type: 'ManifestPublished',
    data: {
      ...{ videoId, generation, manifestSha256: digestOf('c') },
      renditions: [{ resolution: '360p', codec: 'h264' }],
      publishedAt: '2026-01-31T12:00:00.000Z' as never,
      playableAt: '2026-01-31T12:00:00.000Z' as never,
    },
  },
];

interface Encoded {
  readonly type: string;
  readonly data: unknown;
}

const append = async (store: Pick<EventStore, 'append'>, stream: string, events: readonly Encoded[]): Promise<void> =>
  void expectRight(
    await store.append(
      stream,
      'any',
      events.map((event) => ({ id: randomUUID(), ...event, metadata: metadataOf(tenant) })),
    ),
  );

export const recordVideoEvents = (
  store: Pick<EventStore, 'append'>,
  videoId: VideoId,
  events: readonly VideoEvent[],
): Promise<void> => append(store, videoStream(tenant, videoId), events.map(videos.encode));

/** A principal of the tenant, for grants. */
export const registerPrincipal = (store: Pick<EventStore, 'append'>, name: string): Promise<void> => {
  const principalId = name as PrincipalId;
  const data = { principalId, tenantId: tenant, principalType: 'HUMAN', createdAt: noon };
  const registered = principals.encode({ type: 'PrincipalRegistered', data } as never);
  return append(store, principalStream(tenant, principalId), [registered]);
};
