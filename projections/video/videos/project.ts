import { type Forgotten, isForgotten } from '../../../domain/kernel/secret';
import { generationName, sidecarGeneration } from '../../../domain/video/keys';
import { type SidecarEvent, sidecars } from '../../../domain/video/sidecars/events';
import { type VideoUploadEvent, videoUploads } from '../../../domain/video/upload/events';
import { type VideoEvent, videos } from '../../../domain/video/video/events';
import { videoViews } from '../../../domain/video/views/events';
import { patchRow, patchRowsWhere, projection, putRow, removeRow, streamsOf } from '../../kernel/projection';
import type { RecordedEvent } from '../../kernel/recorded-event';
import { type VideoRow, videosView } from './view';

const patchVideo = (
  { data: { videoId }, at: { tenantId, revision }, event }: RecordedEvent<VideoUploadEvent | VideoEvent>,
  fields: Partial<VideoRow>,
) => patchRow<VideoRow>({ tenantId, videoId }, { ...fields, updatedAt: event.occurredAt, revision });

/** While no generation was ready: from then on the row has what is played. */
const patchUnready = (
  { data: { videoId }, at: { tenantId, revision }, event }: RecordedEvent<VideoEvent>,
  fields: Partial<VideoRow>,
) =>
  patchRowsWhere<VideoRow>(
    { tenantId, videoId, playedGeneration: 0 },
    { ...fields, updatedAt: event.occurredAt, revision },
  );

const notFailed = { failedStage: null, failureCode: null, failureDetail: null };

/** Of the source that the row has: the upload of one that is to take its place changes nothing. */
const patchOfUpload = (
  { data: { videoId, uploadId }, at: { tenantId, revision }, event }: RecordedEvent<VideoUploadEvent>,
  fields: Partial<VideoRow>,
) => patchRowsWhere<VideoRow>({ tenantId, videoId, uploadId }, { ...fields, updatedAt: event.occurredAt, revision });

const failedUpload = (recorded: RecordedEvent<VideoUploadEvent>, failureCode: string, failureDetail: string) =>
  patchOfUpload(recorded, { status: 'failed', failedStage: 'upload', failureCode, failureDetail });

const unprocessed = {
  generation: 0,
  playedGeneration: 0,
  durationMilliseconds: null,
  width: null,
  height: null,
  playableAt: null,
  uploadedAt: null,
  replacedAt: null,
  nextPosterGeneration: 0,
  foundPoster: null,
  foundPosterGeneration: null,
  rawObjectKey: null,
  ...notFailed,
};

const posterName = (generation: number, sha256: string): string =>
  `${generationName(generation)}thumbnails/${sha256}.jpg`;

const foundPosterOf = (generation: number, sha256: string) => ({
  foundPoster: posterName(generation, sha256),
  foundPosterGeneration: generation,
});

const patchPoster = (
  { data: { videoId }, at: { tenantId } }: RecordedEvent<SidecarEvent>,
  chosenPoster: string | null,
) => patchRow<VideoRow>({ tenantId, videoId }, { chosenPoster });

const plainOf = (value: string | Forgotten): string | null => (isForgotten(value) || value === '' ? null : value);

const notViewed = { views: 0, plays: 0 };

export const videosProjection = projection(videosView, [
  streamsOf(videoUploads, {
    VideoUploadInitiated: (recorded) => {
      const { data, at, event } = recorded;
      const { videoId, uploadId, ownerId, fileSize, contentType, expiresAt: uploadExpiresAt } = data;
      const uploading = { uploadId, fileSize, contentType, uploadExpiresAt, status: 'uploading' as const };
      if (data.attempt > 1) return patchVideo(recorded, { ...uploading, ...unprocessed });
      const instants = { createdAt: event.occurredAt, updatedAt: event.occurredAt };
      return putRow<VideoRow>({
        videoId,
        ownerId,
        ...{ title: plainOf(data.title), description: null },
        ...uploading,
        ...unprocessed,
        ...notViewed,
        chosenPoster: null,
        ...instants,
        ...at,
      });
    },
    VideoPartsReceived: (recorded) => patchOfUpload(recorded, { status: 'processing' }),
    VideoUploadCompleted: (recorded) => {
      const { rawObjectKey } = recorded.data;
      return patchOfUpload(recorded, { status: 'processing', rawObjectKey, uploadedAt: recorded.event.occurredAt });
    },
    VideoUploadAborted: (recorded) => failedUpload(recorded, 'UPLOAD_ABORTED', 'The upload was aborted.'),
    VideoUploadExpired: (recorded) =>
      failedUpload(
        recorded,
        'UPLOAD_EXPIRED',
        'The upload was not completed in time, and what had arrived was removed.',
      ),
    ignored: ['SourceUploadInitiated'],
  }),
  streamsOf(videos, {
    VideoUploaded: (recorded) => {
      const { generation, uploadId, rawObjectKey, fileSize, contentType } = recorded.data;
      const source = { uploadId, rawObjectKey, fileSize, contentType, nextPosterGeneration: generation };
      return [
        ...patchVideo(recorded, { generation }),
        ...patchUnready(recorded, { status: 'processing', ...source, ...notFailed }),
      ];
    },
    GenerationStarted: (recorded) => [
      ...patchVideo(recorded, {
        generation: recorded.data.generation,
        nextPosterGeneration: recorded.data.generation,
      }),
      ...patchUnready(recorded, { status: 'processing', ...notFailed }),
    ],
    VideoProbed: (recorded) => {
      const { durationMilliseconds, width, height } = recorded.data;
      return patchUnready(recorded, { durationMilliseconds, width, height });
    },
    VideoSpriteReady: ({ data: { videoId, generation, posterSha256 }, at: { tenantId } }) =>
      patchRowsWhere<VideoRow>(
        { tenantId, videoId, nextPosterGeneration: generation },
        foundPosterOf(generation, posterSha256),
      ),
    ManifestPublished: (recorded) => patchUnready(recorded, { playableAt: recorded.data.playableAt }),
    FingerprintOverridden: (recorded) => patchUnready(recorded, { status: 'processing', ...notFailed }),
    VideoRetried: (recorded) => patchUnready(recorded, { status: 'processing', ...notFailed }),
    VideoReady: (recorded) =>
      patchVideo(recorded, { status: 'ready', playedGeneration: recorded.data.generation, ...notFailed }),
    SourceReplaced: (recorded) => {
      const { videoId: _, ownerId: _owner, generation, posterSha256, ...film } = recorded.data;
      const poster = { ...foundPosterOf(generation, posterSha256), nextPosterGeneration: generation };
      return patchVideo(recorded, { ...film, ...poster, replacedAt: recorded.event.occurredAt });
    },
    GenerationRetired: ({ data: { videoId, generation }, at: { tenantId } }) =>
      patchRowsWhere<VideoRow>({ tenantId, videoId, foundPosterGeneration: generation }, { foundPoster: null }),
    VideoFailed: (recorded) => {
      const { stage: failedStage, code: failureCode, detail: failureDetail } = recorded.data;
      return patchVideo(recorded, { status: 'failed', failedStage, failureCode, failureDetail });
    },
    VideoDeleted: ({ data: { videoId }, at: { tenantId } }) => removeRow<VideoRow>({ tenantId, videoId }),
    ignored: [
      'LadderPlanned',
      'RenditionPackaged',
      'VideoAudioReady',
      'VideoCaptionsReady',
      'FingerprintCleared',
      'FingerprintMatched',
      'ProcessingDeferred',
      'GenerationFailed',
      'GenerationObjectsRemoved',
      'SourceRetentionChanged',
      'VideoObjectsRemoved',
      'SourceExpired',
      'VideoTakenDown',
    ],
  }),
  streamsOf(sidecars, {
    VideoDescribed: ({ data: { videoId, title, description }, at: { tenantId }, event }) =>
      patchRow<VideoRow>(
        { tenantId, videoId },
        { title: plainOf(title), description: plainOf(description), updatedAt: event.occurredAt },
      ),
    PosterStored: (recorded) => patchPoster(recorded, posterName(sidecarGeneration, recorded.data.sha256)),
    PosterReset: (recorded) => patchPoster(recorded, null),
    ignored: [
      'CaptionsAdded',
      'CaptionsRemoved',
      'SpeechRecognitionRequested',
      'SpeechRecognitionDeferred',
      'CaptionsRecognized',
      'RecognizedCaptionsDropped',
      'SpeechRecognitionFailed',
      'PosterRequested',
      'PosterDeferred',
      'PosterRefused',
    ],
  }),
  streamsOf(videoViews, {
    ViewsAggregated: ({ data: { videoId, totalSums }, at: { tenantId } }) =>
      patchRow<VideoRow>({ tenantId, videoId }, { views: totalSums.viewers, plays: totalSums.plays }),
  }),
]);
