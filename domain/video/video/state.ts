/** State of a video: the facts of its newest generation, what follows from them, and the generation that plays until the newest is ready. */
import type { Instant } from '../../kernel/codec';
import type { PrincipalId } from '../../kernel/ids';
import type { VideoId, VideoUploadId } from '../ids';
import type { CaptionTrack, ProcessingStage, ProcessingStep, Rendition, VideoCodec, VideoEvent } from './events';

export interface Probe {
  readonly durationMilliseconds: number;
  readonly width: number;
  readonly height: number;
  readonly descriptionSha256: string;
}

export interface Ladder {
  readonly renditions: readonly Rendition[];
  readonly copied: Rendition | null;
  readonly hasAudio: boolean;
  readonly isAudioCopied: boolean;
  readonly hasCaptions: boolean;
}

export interface PackagedRendition {
  readonly bitrateKbps: number;
  readonly sizeBytes: number;
  /** Of the description of its track. */
  readonly trackSha256: string;
}

interface Thumbnails {
  readonly thumbnailsSha256: string;
  readonly posterSha256: string;
}

interface PublishedManifest {
  readonly manifestSha256: string;
  readonly renditions: readonly Rendition[];
}

export interface FingerprintOverride {
  readonly overriddenBy: PrincipalId;
  readonly reason: string | null;
}

/** In whichever order they became known. */
export interface ProcessingFacts {
  readonly probe: Probe | undefined;
  readonly ladder: Ladder | undefined;
  /** By `renditionName`. */
  readonly packaged: ReadonlyMap<string, PackagedRendition>;
  /** Of its description. */
  readonly audioSha256: string | undefined;
  readonly thumbnails: Thumbnails | undefined;
  /** Of the source. */
  readonly captions: readonly CaptionTrack[] | undefined;
  readonly fingerprint: 'unknown' | 'cleared' | 'matched' | 'overridden';
  /** Undefined: it is not known, or there is no sound. */
  readonly fingerprintSha256: string | undefined;
  /** The blocked recording that the sound is that of. */
  readonly matchedReference: string | undefined;
  readonly manifest: PublishedManifest | undefined;
  readonly override: FingerprintOverride | undefined;
}

export interface VideoFailure {
  readonly stage: ProcessingStage;
  readonly code: string;
  readonly detail: string;
}

/** In object storage. */
export interface VideoSource {
  readonly key: string;
  readonly etag: string;
  readonly sizeBytes: number;
  readonly contentType: string;
}

export interface Deferral {
  readonly attempt: number;
  readonly reason: string;
}

export interface PlayedGeneration {
  readonly generation: number;
  readonly uploadId: VideoUploadId;
  readonly facts: ProcessingFacts;
  /** When its first rendition could be played. */
  readonly playableAt: Instant | undefined;
}

/** Matches that an administrator let through, by the source: they hold for all generations of it. */
type Overrides = ReadonlyMap<VideoUploadId, FingerprintOverride & { readonly reference: string | undefined }>;

export interface UploadedVideo {
  readonly kind: 'uploaded';
  readonly videoId: VideoId;
  readonly ownerId: PrincipalId;
  readonly generation: number;
  readonly uploadId: VideoUploadId;
  /** Beside H.264. */
  readonly codec: VideoCodec;
  readonly source: VideoSource;
  /** Of all generations. */
  readonly sources: ReadonlyMap<VideoUploadId, VideoSource>;
  readonly facts: ProcessingFacts;
  /** When the first rendition of the generation could be played. */
  readonly playableAt: Instant | undefined;
  readonly failure: VideoFailure | undefined;
  /** By `stepName`: how often a step was put off, and why the last time. */
  readonly deferrals: ReadonlyMap<string, Deferral>;
  readonly isReady: boolean;
  /** Was ready, and is played until the newest is. */
  readonly earlier: PlayedGeneration | undefined;
  /** Without the retired ones. */
  readonly storedGenerations: readonly number[];
  /** Those whose objects are not removed yet. */
  readonly retiredGenerations: ReadonlySet<number>;
  readonly overrides: Overrides;
  /** Of this generation and of earlier ones: those whose source is stored. */
  readonly storedUploads: readonly VideoUploadId[];
  readonly isSourceRetained: boolean;
  /** Of expired sources whose objects are removed. */
  readonly removedUploads: ReadonlySet<VideoUploadId>;
}

interface DeletedVideo {
  readonly kind: 'deleted';
  readonly areObjectsRemoved: boolean;
  /** Those whose sources are removed, or about to be. */
  readonly endedUploads: ReadonlySet<VideoUploadId>;
}

/** `none`: its upload is not completed. */
export type VideoState = { readonly kind: 'none' } | DeletedVideo | UploadedVideo;

export const noVideo: VideoState = { kind: 'none' };

const noFacts: ProcessingFacts = {
  probe: undefined,
  ladder: undefined,
  packaged: new Map(),
  audioSha256: undefined,
  thumbnails: undefined,
  captions: undefined,
  fingerprint: 'unknown',
  fingerprintSha256: undefined,
  matchedReference: undefined,
  manifest: undefined,
  override: undefined,
};

/** Names its playlist in a manifest's folder. */
export const renditionLabel = ({ resolution, codec }: Rendition): string =>
  codec === 'h264' ? resolution : `${resolution}-${codec}`;

export const renditionName = ({ resolution, codec }: Rendition): string => `${resolution} ${codec}`;

export const stepName = ({ stage, renditions }: ProcessingStep): string =>
  [stage, ...renditions.map(renditionName)].join(' ');

/** The manifest by which the video is ready; undefined while something that was planned is missing. */
export const readyManifest = (facts: ProcessingFacts): string | undefined => {
  const { probe, ladder, packaged, audioSha256, thumbnails, captions, fingerprint, manifest } = facts;
  if (probe === undefined || ladder === undefined || manifest === undefined || thumbnails === undefined)
    return undefined;
  if (fingerprint !== 'cleared' && fingerprint !== 'overridden') return undefined;
  if ((ladder.hasAudio && audioSha256 === undefined) || (ladder.hasCaptions && captions === undefined))
    return undefined;
  const published = new Set(manifest.renditions.map(renditionName));
  const isComplete = ladder.renditions.map(renditionName).every((name) => packaged.has(name) && published.has(name));
  return isComplete ? manifest.manifestSha256 : undefined;
};

/** The generation that playback gives: the newest, unless an earlier one was ready and this one is not. */
export const playedGeneration = ({ earlier, ...newest }: UploadedVideo): PlayedGeneration => earlier ?? newest;

/** Of the video as a whole: a generation that fails takes nothing away from an earlier one that plays. */
export const videoFailure = ({ earlier, failure }: UploadedVideo): VideoFailure | undefined =>
  earlier === undefined ? failure : undefined;

/** Of the source, which no other try changes. */
const sourceFaults: ReadonlySet<string> = new Set([
  ...[
    'UNSUPPORTED_TYPE',
    'UNSUPPORTED_CODEC',
    'NO_VIDEO',
    'CUT_OFF',
    'ENCRYPTED',
    'TOO_LONG',
    'TOO_LARGE',
    'TOO_MANY_STREAMS',
  ],
  ...['CODEC_NOT_PROTECTED', 'KEYS_DESTROYED'],
]);

/** Whether another try may end otherwise. A match with a blocked recording is overridden, not tried again. */
export const isRetriable = ({ stage, code }: VideoFailure): boolean =>
  stage !== 'fingerprint' && !sourceFaults.has(code);

/** Whether more can become of the newest generation, now or after a retry. */
const isOpen = ({ isReady, failure, storedUploads, uploadId }: UploadedVideo): boolean =>
  !isReady && (failure === undefined || storedUploads.includes(uploadId));

/** Generations below this number that are neither played nor on their way to be. */
export const supersededGenerations = (state: UploadedVideo, before: number): readonly number[] => {
  const { generation: played } = playedGeneration(state);
  const isNeeded = (one: number): boolean => one === played || (one === state.generation && isOpen(state));
  return state.storedGenerations.filter((one) => one < before && !isNeeded(one));
};

/** Of films that were replaced, and of other sources that became none: nothing is made of them any more. */
export const replacedUploads = (state: UploadedVideo): readonly VideoUploadId[] => {
  const { uploadId: played } = playedGeneration(state);
  return state.storedUploads.filter((one) => one !== played && one !== state.uploadId);
};

export type VideoStatus = 'uploading' | 'processing' | 'ready' | 'failed' | 'deleted';

export const statusOf = (state: VideoState): VideoStatus => {
  if (state.kind === 'none') return 'uploading';
  if (state.kind === 'deleted') return 'deleted';
  if (state.isReady || state.earlier !== undefined) return 'ready';
  return state.failure === undefined ? 'processing' : 'failed';
};

type FactEvent = Exclude<
  VideoEvent,
  {
    type:
      | 'VideoUploaded'
      | 'GenerationStarted'
      | 'GenerationFailed'
      | 'GenerationRetired'
      | 'GenerationObjectsRemoved'
      | 'VideoReady'
      | 'SourceReplaced'
      | 'VideoFailed'
      | 'VideoTakenDown'
      | 'VideoDeleted'
      | 'ProcessingDeferred'
      | 'VideoRetried'
      | 'SourceRetentionChanged'
      | 'SourceExpired'
      | 'VideoObjectsRemoved';
  }
>;

const withFact = (facts: ProcessingFacts, { type, data }: FactEvent): ProcessingFacts => {
  switch (type) {
    case 'VideoProbed': {
      const { durationMilliseconds, width, height, descriptionSha256 } = data;
      return { ...facts, probe: { durationMilliseconds, width, height, descriptionSha256 } };
    }
    case 'LadderPlanned': {
      const { renditions, copied, hasAudio, isAudioCopied, hasCaptions } = data;
      return { ...facts, ladder: { renditions, copied, hasAudio, isAudioCopied, hasCaptions } };
    }
    case 'RenditionPackaged': {
      const { rendition, bitrateKbps, sizeBytes, trackSha256 } = data;
      const packaged = { bitrateKbps, sizeBytes, trackSha256 };
      return { ...facts, packaged: new Map(facts.packaged).set(renditionName(rendition), packaged) };
    }
    case 'VideoAudioReady':
      return { ...facts, audioSha256: data.trackSha256 };
    case 'VideoSpriteReady': {
      const { thumbnailsSha256, posterSha256 } = data;
      return { ...facts, thumbnails: { thumbnailsSha256, posterSha256 } };
    }
    case 'VideoCaptionsReady':
      return { ...facts, captions: data.tracks };
    case 'FingerprintCleared':
      return { ...facts, fingerprint: 'cleared', fingerprintSha256: data.fingerprintSha256 ?? undefined };
    case 'FingerprintMatched':
      return {
        ...facts,
        fingerprint: 'matched',
        fingerprintSha256: data.fingerprintSha256,
        matchedReference: data.reference,
      };
    case 'FingerprintOverridden':
      return {
        ...facts,
        fingerprint: 'overridden',
        override: { overriddenBy: data.overriddenBy, reason: data.reason },
      };
    case 'ManifestPublished': {
      const { manifestSha256, renditions } = data;
      return { ...facts, manifest: { manifestSha256, renditions } };
    }
  }
};

/** An overridden match is no failure any longer. */
const failureAfter = ({ failure }: UploadedVideo, { type }: FactEvent): VideoFailure | undefined =>
  type === 'FingerprintOverridden' && failure?.stage === 'fingerprint' ? undefined : failure;

const withOverride = ({ overrides, uploadId, facts }: UploadedVideo, override: FingerprintOverride): Overrides =>
  new Map(overrides).set(uploadId, { ...override, reference: facts.matchedReference });

type GenerationEvent =
  | FactEvent
  | Extract<
      VideoEvent,
      { type: 'VideoReady' | 'VideoFailed' | 'GenerationFailed' | 'ProcessingDeferred' | 'VideoRetried' }
    >;

const evolveGeneration = (state: UploadedVideo, event: GenerationEvent): UploadedVideo => {
  const { type, data } = event;
  if (data.generation !== state.generation) return state;
  if (type === 'VideoReady') return { ...state, isReady: true, earlier: undefined };
  if (type === 'VideoFailed' || type === 'GenerationFailed') {
    const { stage, code, detail } = data;
    return { ...state, failure: { stage, code, detail } };
  }
  if (type === 'VideoRetried') return { ...state, failure: undefined };
  if (type === 'ProcessingDeferred') {
    const { step, attempt, reason } = data;
    return { ...state, deferrals: new Map(state.deferrals).set(stepName(step), { attempt, reason }) };
  }
  const playableAt = type === 'ManifestPublished' ? data.playableAt : state.playableAt;
  const overrides =
    type === 'FingerprintOverridden'
      ? withOverride(state, { overriddenBy: data.overriddenBy, reason: data.reason })
      : state.overrides;
  return { ...state, facts: withFact(state.facts, event), failure: failureAfter(state, event), playableAt, overrides };
};

/** What was ready is played until the next generation is. */
const playedMeanwhile = (before: UploadedVideo | undefined): PlayedGeneration | undefined => {
  if (before === undefined || !before.isReady) return before?.earlier;
  const { generation, uploadId, facts, playableAt } = before;
  return { generation, uploadId, facts, playableAt };
};

const unprocessed = {
  facts: noFacts,
  playableAt: undefined,
  failure: undefined,
  deferrals: new Map<string, Deferral>(),
  isReady: false,
};

const begun = (before: VideoState, { data }: Extract<VideoEvent, { type: 'VideoUploaded' }>): UploadedVideo => {
  const { videoId, ownerId, generation, uploadId, contentType } = data;
  const source = { key: data.rawObjectKey, etag: data.etag, sizeBytes: data.fileSize, contentType };
  const earlier = before.kind === 'uploaded' ? before : undefined;
  return {
    ...{ kind: 'uploaded', videoId, ownerId, generation, uploadId, codec: 'h264', ...unprocessed },
    source,
    sources: new Map(earlier?.sources).set(uploadId, source),
    earlier: playedMeanwhile(earlier),
    storedGenerations: [...(earlier?.storedGenerations ?? []), generation],
    retiredGenerations: earlier?.retiredGenerations ?? new Set(),
    overrides: earlier?.overrides ?? new Map(),
    storedUploads: [...(earlier?.storedUploads ?? []), uploadId],
    isSourceRetained: earlier?.isSourceRetained ?? false,
    removedUploads: earlier?.removedUploads ?? new Set(),
  };
};

const startedAnew = (
  state: UploadedVideo,
  { data: { generation, uploadId, codec } }: Extract<VideoEvent, { type: 'GenerationStarted' }>,
): UploadedVideo => ({
  ...{ ...state, ...unprocessed, generation, uploadId, codec },
  source: state.sources.get(uploadId) ?? state.source,
  earlier: playedMeanwhile(state),
  storedGenerations: [...state.storedGenerations, generation],
});

const evolveDeleted = (state: DeletedVideo, { type, data }: VideoEvent): DeletedVideo => {
  if (type === 'SourceExpired') return { ...state, endedUploads: new Set(state.endedUploads).add(data.uploadId) };
  return type === 'VideoObjectsRemoved' && data.uploadId === null ? { ...state, areObjectsRemoved: true } : state;
};

export const evolve = (state: VideoState, event: VideoEvent): VideoState => {
  const { type, data } = event;
  if (state.kind === 'deleted') return evolveDeleted(state, event);
  if (type === 'VideoUploaded') return begun(state, event);
  if (state.kind === 'none') return state;
  if (type === 'VideoTakenDown' || type === 'SourceReplaced') return state;
  if (type === 'VideoDeleted')
    return { kind: 'deleted', areObjectsRemoved: false, endedUploads: new Set(state.sources.keys()) };
  if (type === 'GenerationStarted') return startedAnew(state, event);
  if (type === 'GenerationRetired')
    return {
      ...state,
      storedGenerations: state.storedGenerations.filter((one) => one !== data.generation),
      retiredGenerations: new Set(state.retiredGenerations).add(data.generation),
    };
  if (type === 'GenerationObjectsRemoved')
    return {
      ...state,
      retiredGenerations: new Set([...state.retiredGenerations].filter((one) => one !== data.generation)),
    };
  if (type === 'SourceRetentionChanged') return { ...state, isSourceRetained: data.isRetained };
  if (type === 'SourceExpired')
    return { ...state, storedUploads: state.storedUploads.filter((uploadId) => uploadId !== data.uploadId) };
  if (type === 'VideoObjectsRemoved')
    return data.uploadId === null
      ? state
      : { ...state, removedUploads: new Set(state.removedUploads).add(data.uploadId) };
  return evolveGeneration(state, event);
};
