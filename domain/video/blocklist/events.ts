/** Events of a tenant's list of blocked recordings: a video whose sound has one of them fails until an administrator overrides that. */
import type { TypeOf } from 'io-ts';
import { text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { idOf, PrincipalId, type TenantId } from '../../kernel/ids';
import { VideoDigest } from '../digest';
import { VideoId } from '../ids';

export const RecordingId = idOf('BlockedRecordingId');
export type RecordingId = TypeOf<typeof RecordingId>;

export const RecordingName = text('BlockedRecordingName', { maxLength: 200, examples: ['Harvest Song'] });

export const blocklists = aggregate(
  { context: 'video', name: 'blocklist' },
  {
    RecordingBlocked: {
      v: 1,
      data: {
        recordingId: RecordingId,
        name: RecordingName,
        /** Whose sound it is. */
        videoId: VideoId,
        fingerprintSha256: VideoDigest,
        blockedBy: PrincipalId,
      },
    },
    RecordingUnblocked: { v: 1, data: { recordingId: RecordingId, unblockedBy: PrincipalId } },
  },
);
export type BlocklistEvent = typeof blocklists.Event;

/** One of a tenant. */
export const blocklistStream = (tenant: TenantId): string => blocklists.stream(tenant, 'recordings');
