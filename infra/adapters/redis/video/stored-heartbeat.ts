/** A heartbeat as it stands in a stream of Redis. */
import * as t from 'io-ts';
import { finite, record } from '../../../../domain/kernel/codec';
import { TenantId } from '../../../../domain/kernel/ids';
import { VideoId } from '../../../../domain/video/ids';

export const StoredHeartbeat = record('StoredHeartbeat', {
  tenant: TenantId,
  videoId: VideoId,
  viewerId: t.string,
  sessionId: t.string,
  expiresAt: finite,
  sequence: finite,
  watched: finite,
  position: finite,
  bufferingEvents: finite,
  seeks: finite,
  issuedAt: finite,
  duration: finite,
});
