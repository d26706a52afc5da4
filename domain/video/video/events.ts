/** Events of a video: facts that its processing finds and makes, of a generation each, and what follows from them. */
import * as t from 'io-ts';
import { Instant, integer, listOf, nullable, oneOf, record, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { VideoDigest } from '../digest';
import { VideoId, VideoUploadId } from '../ids';
import { videoLimits } from '../limits';
import { ModerationReason } from '../moderation-reason';
import { VideoContentType } from '../upload/events';

export const Resolution = oneOf('VideoResolution', ['360p', '720p', '1080p', '4k']);

export const videoCodecs = ['h264', 'h265', 'av1'] as const;
export const VideoCodec = oneOf('VideoCodec', videoCodecs);
export type VideoCodec = t.TypeOf<typeof VideoCodec>;

/** Of AV1 only parts of each picture may be encrypted, which our packager does not distinguish. */
export const isProtectable = (codec: VideoCodec): boolean => codec !== 'av1';

/** One of a ladder. */
export const Rendition = record('VideoRendition', { resolution: Resolution, codec: VideoCodec });
export type Rendition = t.TypeOf<typeof Rendition>;

const maxRenditions = 12;
export const Renditions = listOf('VideoRenditions', Rendition, maxRenditions, 1);

export const CaptionLabel = text('CaptionLabel', { maxLength: 100, examples: ['English'] });

/** Of the source's subtitles, or of captions that were added. */
export const CaptionTrack = record('CaptionTrack', {
  /** BCP 47; `und` where it is not known. */
  language: text('CaptionLanguage', { maxLength: 35, examples: ['en'] }),
  label: CaptionLabel,
  sha256: VideoDigest,
});
export type CaptionTrack = t.TypeOf<typeof CaptionTrack>;

const maxCaptionTracks = 64;

/** `remux` packages the source as it is, `transcode` encodes renditions of it. */
export const ProcessingStage = oneOf('VideoProcessingStage', [
  'probe',
  'remux',
  'transcode',
  'audio',
  'sprite',
  'captions',
  'fingerprint',
  'publish',
]);
export type ProcessingStage = t.TypeOf<typeof ProcessingStage>;

/** The work of a stage; of `transcode` the renditions, of one codec, that are made of one decoding of the source. */
export const ProcessingStep = record('VideoProcessingStep', {
  stage: ProcessingStage,
  renditions: listOf('StepRenditions', Rendition, maxRenditions),
});
export type ProcessingStep = t.TypeOf<typeof ProcessingStep>;

const maxSteps = 24;
/** Uploads of one video that failed before. */
const maxAttempts = 1_000;

const VideoFailureCode = text('VideoFailureCode', {
  maxLength: 64,
  pattern: '[A-Z][A-Z0-9_]*',
  examples: ['COPYRIGHT_MATCH'],
});

const fact = {
  videoId: VideoId,
  /** From 1: each new source or encoding of the video is one of its own. */
  generation: integer(1),
};

const failure = {
  ...fact,
  stage: ProcessingStage,
  code: VideoFailureCode,
  detail: text('VideoFailure', { maxLength: 500 }),
};

export const videos = aggregate(
  { context: 'video', name: 'video', id: VideoId },
  {
    /** Object storage has the source; its processing begins. */
    VideoUploaded: {
      v: 1,
      data: {
        ...fact,
        uploadId: VideoUploadId,
        ownerId: PrincipalId,
        rawObjectKey: text('RawVideoKey', { maxLength: 1_024 }),
        etag: text('RawVideoEtag', { maxLength: 200 }),
        fileSize: integer(1, videoLimits.bytes),
        contentType: VideoContentType,
      },
    },
    /** Another generation of a source that is stored still. An earlier one that was ready plays until this one is. */
    GenerationStarted: {
      v: 1,
      data: {
        ...fact,
        uploadId: VideoUploadId,
        /** Beside H.264, which every browser plays. */
        codec: VideoCodec,
        startedBy: PrincipalId,
      },
    },
    /** The description is JSON of what was found in the source, so that it is not probed again. */
    VideoProbed: {
      v: 1,
      data: {
        ...fact,
        durationMilliseconds: integer(0),
        width: integer(1),
        height: integer(1),
        descriptionSha256: VideoDigest,
      },
    },
    /** What is to be made of the source: the video is ready when all of it is there. */
    LadderPlanned: {
      v: 1,
      data: {
        ...fact,
        renditions: Renditions,
        /** The one that the source itself becomes, without encoding; null: all are encoded. */
        copied: nullable(Rendition),
        hasAudio: t.boolean,
        /** With the pictures of `copied`, without encoding. */
        isAudioCopied: t.boolean,
        hasCaptions: t.boolean,
      },
    },
    RenditionPackaged: {
      v: 1,
      data: {
        ...fact,
        rendition: Rendition,
        bitrateKbps: integer(1),
        sizeBytes: integer(1),
        /** Of the description of its segments. */
        trackSha256: VideoDigest,
      },
    },
    VideoAudioReady: { v: 1, data: { ...fact, sizeBytes: integer(1), trackSha256: VideoDigest } },
    /** Of the WebVTT that names parts of sheets, and of the picture that is shown before the film plays. */
    VideoSpriteReady: { v: 1, data: { ...fact, thumbnailsSha256: VideoDigest, posterSha256: VideoDigest } },
    VideoCaptionsReady: { v: 1, data: { ...fact, tracks: listOf('CaptionTracks', CaptionTrack, maxCaptionTracks) } },
    /** Null: it has no sound. */
    FingerprintCleared: { v: 1, data: { ...fact, fingerprintSha256: nullable(VideoDigest) } },
    /** The video is blocked until a person overrides the match. */
    FingerprintMatched: {
      v: 1,
      data: {
        ...fact,
        fingerprintSha256: VideoDigest,
        /** The blocked recording. */
        reference: text('FingerprintReference', { maxLength: 200 }),
      },
    },
    FingerprintOverridden: {
      v: 2,
      data: {
        ...fact,
        overriddenBy: PrincipalId,
        /** Null: it was overridden before reasons were recorded. */
        reason: nullable(ModerationReason),
      },
      from: { 1: (old: object) => ({ ...old, reason: null }) },
    },
    /** Players may read these renditions now; a later manifest has more. */
    ManifestPublished: {
      v: 1,
      data: {
        ...fact,
        manifestSha256: VideoDigest,
        renditions: Renditions,
        publishedAt: Instant,
        /** When the first manifest of the generation was published. */
        playableAt: Instant,
      },
    },
    /** Everything that was planned is there, and published. */
    VideoReady: { v: 1, data: { ...fact, manifestSha256: VideoDigest } },
    /** With the `VideoReady` of a generation of another source: from now on the video is that film. */
    SourceReplaced: {
      v: 1,
      data: {
        ...fact,
        ownerId: PrincipalId,
        uploadId: VideoUploadId,
        rawObjectKey: text('ReplacingVideoKey', { maxLength: 1_024 }),
        fileSize: integer(1, videoLimits.bytes),
        contentType: VideoContentType,
        durationMilliseconds: integer(0),
        width: integer(1),
        height: integer(1),
        posterSha256: VideoDigest,
      },
    },
    VideoFailed: { v: 1, data: failure },
    /** An earlier generation plays on: the video stays ready. */
    GenerationFailed: { v: 1, data: failure },
    /** It is no longer played, and its time to be is over: no address of it is valid any more. */
    GenerationRetired: { v: 1, data: fact },
    /** Of a retired generation: how many objects storage had of it, and has no more. */
    GenerationObjectsRemoved: { v: 1, data: { ...fact, objects: integer(0) } },
    /** A step waits for what the worker lacks, such as a program or room on its disk, and is tried again. */
    ProcessingDeferred: {
      v: 1,
      data: {
        ...fact,
        step: ProcessingStep,
        attempt: integer(1),
        reason: text('DeferredProcessing', { maxLength: 500 }),
      },
    },
    /** The newest generation, which failed, is processed again: the steps that are missing. */
    VideoRetried: {
      v: 1,
      data: {
        ...fact,
        retriedBy: PrincipalId,
        steps: listOf('RetriedVideoSteps', ProcessingStep, maxSteps, 1),
      },
    },
    /** Whether the source stays after its time, to be encoded again. */
    SourceRetentionChanged: { v: 1, data: { videoId: VideoId, isRetained: t.boolean, changedBy: PrincipalId } },
    /** Its source is removed; what was made of it stays. */
    SourceExpired: { v: 1, data: { ...fact, ownerId: PrincipalId, uploadId: VideoUploadId } },
    /** By an administrator; its deletion is recorded with it. */
    VideoTakenDown: { v: 1, data: { videoId: VideoId, takenDownBy: PrincipalId, reason: ModerationReason } },
    /** No viewer sees or plays it from now on. */
    VideoDeleted: {
      v: 1,
      data: {
        videoId: VideoId,
        deletedBy: PrincipalId,
        ownerId: PrincipalId,
        /** Of sources that are still stored. */
        uploadIds: listOf('DeletedVideoUploads', VideoUploadId, maxAttempts),
      },
    },
    /** Of an expired source, or with null of the whole video: how many objects storage had of it, and has no more. */
    VideoObjectsRemoved: {
      v: 1,
      data: { videoId: VideoId, uploadId: nullable(VideoUploadId), objects: integer(0) },
    },
  },
);
export type VideoEvent = typeof videos.Event;

export const { stream: videoStream } = videos;
