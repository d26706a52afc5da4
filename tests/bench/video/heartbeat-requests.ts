/** Heartbeats of a bench, each the first of its playback, as the gateway passes them on. */
import { randomUUID } from 'node:crypto';
import type { TenantId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import type { NewEvent } from '../../../infra/ports/event-store';
import { identityHeader, signCaller } from '../../../infra/server/http/identity/identity-header';
import type { Identity } from '../../../infra/server/http/routing/route';
import { signPlaybackSession } from '../../../infra/server/video/playback-session';
import type { DeliveryKeys } from '../../../infra/server/video/signed-text';
import { macSigner } from '../../support/http/internal-keys';

export const benchKeys: DeliveryKeys = [{ id: 'k1', secret: 'bench'.repeat(8) }];
export const benchVideo = 'v-bench' as VideoId;
const tenant = 'bench' as TenantId;

const eventOf = (type: string, data: object): NewEvent => ({
  ...{ id: randomUUID(), type, data },
  metadata: {
    ...{ tenant, actor: 'owner', at: '2026-01-31T12:00:00.000Z', commandId: 'c-1', commandHash: 'h' },
    ...{ $correlationId: 'r-1', $causationId: 'r-1' },
  },
});

export const uploadedEvent = eventOf('video.VideoUploaded.v1', {
  ...{ videoId: benchVideo, generation: 1, uploadId: 'u-1', ownerId: 'owner', rawObjectKey: 'raw', etag: '"1"' },
  ...{ fileSize: 1, contentType: 'video/mp4' },
});

/** With all viewers of the tenant. */
export const sharedEvent = eventOf('video.VideoVisibilityChanged.v1', {
  ...{ videoId: benchVideo, visibility: 'tenant', linkId: null, changedBy: 'owner' },
});

const path = `/api/videos/${benchVideo}/heartbeat`;

export const heartbeatRequest = (number: number) => {
  const issuedAt = Math.floor(Date.now() / 1_000) - 60;
  const viewerId = `viewer-${number}`;
  const session = { sessionId: randomUUID(), tenant, videoId: benchVideo, generation: 1, viewerId };
  const times = { durationMilliseconds: 600_000, issuedAt, expiresAt: issuedAt + 3_600 };
  const playbackProof = signPlaybackSession(benchKeys, { ...session, ...times });
  const numbers = { watchedSeconds: 30, bufferingEvents: 0, seekCount: 0, sequence: 0, positionSeconds: 30 };
  const identity: Identity = {
    ...{ tenantId: tenant, principalId: viewerId, principalType: 'HUMAN', scopes: ['videos:read'], tokenId: 'jti-1' },
  };
  const caller = { identity, requestId: 'request-1' };
  return {
    method: 'POST' as const,
    path,
    headers: {
      'content-type': 'application/json',
      [identityHeader]: signCaller(caller, {
        signer: macSigner,
        line: { method: 'POST', target: path },
        now: Date.now(),
      }),
    },
    body: JSON.stringify({ ...numbers, quality: '720p', playbackProof }),
  };
};
