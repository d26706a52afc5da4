/** The manifest of videos: their sources are uploaded in parts, straight to object storage. */
import type { Context } from '../kernel/context';

export const context: Context = {
  name: 'video',
  scopes: [
    {
      name: 'videos:read',
      description: 'See and play your videos and those that are shared with you, and how far your uploads are',
    },
    { name: 'videos:write', description: 'Upload videos, say who may play them, and delete your own' },
    { name: 'videos:admin', description: 'See, share, protect and delete the videos of everyone in the tenant' },
  ],
  tags: [
    {
      name: 'video',
      description:
        'Videos: uploads in parts, their processing, who may play them, their playback, and what players read.',
      paths: /^\/(?:api\/(?:videos|shared-videos|video-series|blocked-recordings)|delivery)(?:\/|$)/,
    },
  ],
  // Players of a whole office behind one address: each fetches two segments in six seconds, and some ahead.
  limitGroups: [{ name: 'delivery', paths: ['/delivery/**'], by: 'strangers' }],
  destinations: [
    /** Public and linked videos are watched without sign-in, also in pages of other origins. */
    {
      paths: ['/api/shared-videos/{tenantId}/{videoId}/playback'],
      methods: ['GET'],
      service: 'read-api',
      authenticatedBy: 'service',
      readableFrom: '*',
    },
    {
      paths: ['/api/shared-videos/{tenantId}/{videoId}/license', '/api/shared-videos/{tenantId}/{videoId}/heartbeat'],
      service: 'commands',
      authenticatedBy: 'service',
      readableFrom: '*',
    },
    {
      paths: ['/delivery/**'],
      service: 'edge',
      authenticatedBy: 'service',
      transfer: { maxBytes: 0, idleMilliseconds: 60_000 },
      readableFrom: '*',
      operations: {
        GET: {
          operation: 'readDeliveredObject',
          summary: 'Read a manifest, segment, thumbnail or caption, by the signed address that playback answers',
          scopes: [],
          sensitive: false,
        },
      },
    },
  ],
  services: [
    {
      name: 'edge',
      title: 'edge of videos',
      entry: 'infra/edge/main',
      appends: false,
      // Longer than the edge itself waits for object storage.
      answerMilliseconds: 30_000,
      usesBlobs: true,
      secrets: [],
    },
  ],
};
