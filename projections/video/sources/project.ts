import { plusSeconds } from '../../../domain/kernel/instant';
import { videoLimits } from '../../../domain/video/limits';
import { type VideoEvent, videos } from '../../../domain/video/video/events';
import { patchRow, patchRowsWhere, projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type VideoSourceRow, videoSourcesView } from './view';

const patchSource = (
  { data: { videoId }, at: { tenantId, revision } }: RecordedEvent<VideoEvent>,
  fields: Partial<VideoSourceRow>,
) => patchRow<VideoSourceRow>({ tenantId, videoId }, { ...fields, revision });

const expireAfter = (recorded: RecordedEvent<VideoEvent>, seconds: number, fields: Partial<VideoSourceRow> = {}) =>
  patchSource(recorded, { ...fields, expiresAt: plusSeconds(recorded.event.occurredAt, seconds) });

export const videoSourcesProjection = projection(videoSourcesView, [
  streamsOf(videos, {
    VideoUploaded: (recorded) => {
      const { data, at } = recorded;
      const stored = { uploadId: data.uploadId, isStored: true, expiresAt: null };
      // A choice for an earlier generation holds for this one.
      if (data.generation > 1) return patchSource(recorded, stored);
      return putRow<VideoSourceRow>({ videoId: data.videoId, ...stored, isRetained: false, ...at });
    },
    // Of the source that is played, whichever was the newest.
    GenerationStarted: (recorded) =>
      patchSource(recorded, { uploadId: recorded.data.uploadId, isStored: true, expiresAt: null }),
    VideoReady: (recorded) => expireAfter(recorded, videoLimits.readySourceSeconds),
    VideoFailed: (recorded) => expireAfter(recorded, videoLimits.failedSourceSeconds),
    GenerationFailed: (recorded) => expireAfter(recorded, videoLimits.readySourceSeconds),
    VideoRetried: (recorded) => patchSource(recorded, { expiresAt: null }),
    FingerprintOverridden: (recorded) => patchSource(recorded, { expiresAt: null }),
    SourceRetentionChanged: (recorded) => {
      const { isRetained } = recorded.data;
      return isRetained
        ? patchSource(recorded, { isRetained })
        : expireAfter(recorded, videoLimits.readySourceSeconds, { isRetained });
    },
    // One that was replaced goes before the one that took its place.
    SourceExpired: ({ data: { videoId, uploadId }, at: { tenantId, revision } }) =>
      patchRowsWhere<VideoSourceRow>({ tenantId, videoId, uploadId }, { isStored: false, revision }),
    VideoDeleted: ({ data: { videoId }, at: { tenantId } }) => removeRow<VideoSourceRow>({ tenantId, videoId }),
    ignored: [
      'VideoProbed',
      'LadderPlanned',
      'RenditionPackaged',
      'VideoAudioReady',
      'VideoSpriteReady',
      'VideoCaptionsReady',
      'FingerprintCleared',
      'FingerprintMatched',
      'ManifestPublished',
      'ProcessingDeferred',
      'GenerationRetired',
      'GenerationObjectsRemoved',
      'VideoObjectsRemoved',
      'SourceReplaced',
      'VideoTakenDown',
    ],
  }),
]);
