/** A video is processed from its upload on: facts are recorded once, in any order, and the video is ready when none of them is missing. */
import { type Either, right } from 'fp-ts/Either';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { VideoId, VideoUploadId } from '../ids';
import {
  isProtectable,
  type ProcessingStage,
  type ProcessingStep,
  type VideoCodec,
  type VideoEvent,
  videos,
} from './events';
import {
  evolve,
  noVideo,
  type ProcessingFacts,
  playedGeneration,
  readyManifest,
  renditionName,
  replacedUploads,
  stepName,
  supersededGenerations,
  type UploadedVideo,
  type VideoState,
} from './state';
import { isStepDue, missingSteps } from './steps';

type DataOf<Type extends VideoEvent['type']> = Extract<VideoEvent, { type: Type }>['data'];

/** What a worker found or made. */
export type VideoFact = Extract<
  VideoEvent,
  {
    type:
      | 'VideoProbed'
      | 'LadderPlanned'
      | 'RenditionPackaged'
      | 'VideoAudioReady'
      | 'VideoSpriteReady'
      | 'VideoCaptionsReady'
      | 'FingerprintCleared'
      | 'FingerprintMatched'
      | 'ManifestPublished';
  }
>;

export type VideoCommand =
  | ({ readonly type: 'RecordVideoUpload' } & Omit<DataOf<'VideoUploaded'>, 'generation'>)
  | {
      readonly type: 'StartGeneration';
      readonly videoId: VideoId;
      /** The next one, as the caller knows the video. */
      readonly generation: number;
      readonly codec: VideoCodec;
      /** What is packaged of the video next is to be encrypted. */
      readonly isProtected: boolean;
      readonly startedBy: PrincipalId;
    }
  /** Those before a generation that was ready long enough ago. */
  | { readonly type: 'RetireGenerations'; readonly videoId: VideoId; readonly before: number }
  | {
      readonly type: 'RecordGenerationRemoval';
      readonly videoId: VideoId;
      readonly generation: number;
      readonly objects: number;
    }
  | { readonly type: 'RecordVideoFact'; readonly fact: VideoFact }
  | ({ readonly type: 'OverrideFingerprint' } & DataOf<'FingerprintOverridden'>)
  | {
      readonly type: 'FailVideo';
      readonly videoId: VideoId;
      readonly generation: number;
      readonly stage: ProcessingStage;
      readonly code: string;
      readonly detail: string;
    }
  | {
      readonly type: 'DeferProcessing';
      readonly videoId: VideoId;
      readonly generation: number;
      readonly step: ProcessingStep;
      readonly reason: string;
    }
  | { readonly type: 'RetryVideo'; readonly videoId: VideoId; readonly retriedBy: PrincipalId }
  | {
      readonly type: 'RetainSource';
      readonly videoId: VideoId;
      readonly isRetained: boolean;
      readonly changedBy: PrincipalId;
    }
  | { readonly type: 'ExpireSources'; readonly videoId: VideoId }
  | {
      readonly type: 'RecordRemoval';
      readonly videoId: VideoId;
      readonly uploadId: VideoUploadId | null;
      readonly objects: number;
    }
  | { readonly type: 'DeleteVideo'; readonly videoId: VideoId; readonly deletedBy: PrincipalId }
  | {
      readonly type: 'TakeDownVideo';
      readonly videoId: VideoId;
      readonly takenDownBy: PrincipalId;
      readonly reason: string;
    };

export type VideoRejection =
  | 'video-unknown'
  | 'fingerprint-not-matched'
  | 'video-not-failed'
  | 'video-in-processing'
  | 'video-blocked'
  | 'codec-not-protected'
  | 'source-expired';

type Decision = Either<Rejection<VideoRejection>, readonly VideoEvent[]>;
type CommandOf<Type extends VideoCommand['type']> = Extract<VideoCommand, { type: Type }>;

const isRecorded = (facts: ProcessingFacts, { type, data }: VideoFact): boolean => {
  switch (type) {
    case 'VideoProbed':
      return facts.probe !== undefined;
    case 'LadderPlanned':
      return facts.ladder !== undefined;
    case 'RenditionPackaged':
      return facts.packaged.has(renditionName(data.rendition));
    case 'VideoAudioReady':
      return facts.audioSha256 !== undefined;
    case 'VideoSpriteReady':
      return facts.thumbnails !== undefined;
    case 'VideoCaptionsReady':
      return facts.captions !== undefined;
    case 'FingerprintCleared':
    case 'FingerprintMatched':
      return facts.fingerprint !== 'unknown';
    case 'ManifestPublished':
      return !extendsManifest(facts, data.renditions.map(renditionName));
  }
};

/** A manifest that was delayed on its way has no more than the one that is published. */
const extendsManifest = ({ manifest }: ProcessingFacts, renditions: readonly string[]): boolean => {
  if (manifest === undefined) return true;
  const published = new Set(manifest.renditions.map(renditionName));
  return (
    renditions.length > published.size && manifest.renditions.every((one) => renditions.includes(renditionName(one)))
  );
};

/** Where the generation that is ready is of another source than the one that was played. */
const replacement = (after: UploadedVideo, { earlier }: UploadedVideo): readonly VideoEvent[] => {
  const { videoId, generation, ownerId, uploadId, source } = after;
  const { probe, thumbnails } = after.facts;
  if (earlier === undefined || earlier.uploadId === uploadId || probe === undefined || thumbnails === undefined)
    return [];
  const { key: rawObjectKey, sizeBytes: fileSize, contentType } = source;
  const { durationMilliseconds, width, height } = probe;
  const film = { durationMilliseconds, width, height, posterSha256: thumbnails.posterSha256 };
  const data = { videoId, generation, ownerId, uploadId, rawObjectKey, fileSize, contentType, ...film };
  return [{ type: 'SourceReplaced', data }];
};

/** With `VideoReady` where nothing is missing any longer. */
const withReadiness = (state: UploadedVideo, events: readonly [VideoEvent, ...VideoEvent[]]): Decision => {
  const after = events.reduce<VideoState>(evolve, state);
  if (after.kind !== 'uploaded' || after.isReady || after.failure !== undefined) return right(events);
  const manifestSha256 = readyManifest(after.facts);
  const { videoId, generation } = state;
  if (manifestSha256 === undefined) return right(events);
  const ready: VideoEvent = { type: 'VideoReady', data: { videoId, generation, manifestSha256 } };
  return right([...events, ready, ...replacement(after, state)]);
};

/** While an earlier generation plays, the video does not fail. */
const failureOf = ({ earlier }: UploadedVideo, data: DataOf<'VideoFailed'>): VideoEvent => ({
  type: earlier === undefined ? 'VideoFailed' : 'GenerationFailed',
  data,
});

const failed = (state: UploadedVideo): VideoEvent =>
  failureOf(state, {
    ...{ videoId: state.videoId, generation: state.generation, stage: 'fingerprint', code: 'COPYRIGHT_MATCH' },
    detail: 'The sound is that of a protected work. An administrator can override the match.',
  });

/** A match that was overridden for this source is no other one in its next generation. */
const match = (fact: Extract<VideoFact, { type: 'FingerprintMatched' }>, state: UploadedVideo): Decision => {
  const { videoId, generation, overrides, uploadId, failure } = state;
  const override = overrides.get(uploadId);
  if (override?.reference === fact.data.reference) {
    const { overriddenBy, reason } = override;
    return withReadiness(state, [
      fact,
      { type: 'FingerprintOverridden', data: { videoId, generation, overriddenBy, reason } },
    ]);
  }
  return right(failure === undefined ? [fact, failed(state)] : [fact]);
};

/** Workers do not know of a manifest that was published meanwhile. */
const sincePlayable = (fact: VideoFact, { playableAt }: UploadedVideo): VideoFact =>
  fact.type === 'ManifestPublished' && playableAt !== undefined
    ? { ...fact, data: { ...fact.data, playableAt } }
    : fact;

const record = ({ fact }: CommandOf<'RecordVideoFact'>, state: UploadedVideo): Decision => {
  if (fact.data.generation !== state.generation || isRecorded(state.facts, fact)) return right([]);
  if (fact.type === 'FingerprintMatched') return match(fact, state);
  return withReadiness(state, [sincePlayable(fact, state)]);
};

const override = ({ type: _, ...data }: CommandOf<'OverrideFingerprint'>, state: UploadedVideo): Decision => {
  if (data.generation !== state.generation || state.facts.fingerprint === 'overridden') return right([]);
  if (state.facts.fingerprint !== 'matched') return reject('fingerprint-not-matched', 'The video is not blocked.');
  return withReadiness(state, [{ type: 'FingerprintOverridden', data }]);
};

/** A generation that is ready does not fail: what comes late is of a repeated job. */
const fail = ({ type: _, ...data }: CommandOf<'FailVideo'>, state: UploadedVideo): Decision => {
  const isLate = data.generation !== state.generation || state.isReady || state.failure !== undefined;
  return right(isLate ? [] : [failureOf(state, data)]);
};

const blocked = () =>
  reject('video-blocked', 'The video is blocked by its fingerprint. An administrator can override the match.');

/** Of the source that is played, or else of the newest. */
const startGeneration = (
  { type: _, isProtected, ...data }: CommandOf<'StartGeneration'>,
  state: UploadedVideo,
): Decision => {
  const { generation, codec, isReady, failure, storedUploads } = state;
  if (data.generation === generation && data.codec === codec) return right([]);
  if (isProtected && !isProtectable(data.codec))
    return reject(
      'codec-not-protected',
      `The video is to be encrypted, which ${data.codec} cannot be here: choose another codec.`,
    );
  if ((!isReady && failure === undefined) || data.generation !== generation + 1)
    return reject(
      'video-in-processing',
      'A generation of the video is being made: start another one once it has ended.',
    );
  const { uploadId } = playedGeneration(state);
  if (failure?.stage === 'fingerprint' && uploadId === state.uploadId) return blocked();
  if (!storedUploads.includes(uploadId))
    return reject('source-expired', 'The source of the video is removed: upload it again as another video.');
  return right([{ type: 'GenerationStarted', data: { ...data, uploadId } }]);
};

const retired = ({ videoId }: UploadedVideo, generation: number): VideoEvent => ({
  type: 'GenerationRetired',
  data: { videoId, generation },
});

const sourceExpired = ({ videoId, generation, ownerId }: UploadedVideo, uploadId: VideoUploadId): VideoEvent => ({
  type: 'SourceExpired',
  data: { videoId, generation, ownerId, uploadId },
});

/** Sources that were replaced go with what was made of them, also where the source of the video is kept: that is another one. */
const retireGenerations = ({ before }: CommandOf<'RetireGenerations'>, state: UploadedVideo): Decision =>
  right([
    ...supersededGenerations(state, before).map((generation) => retired(state, generation)),
    ...replacedUploads(state).map((uploadId) => sourceExpired(state, uploadId)),
  ]);

const recordGenerationRemoval = (
  { type: _, ...data }: CommandOf<'RecordGenerationRemoval'>,
  { retiredGenerations }: UploadedVideo,
): Decision => right(retiredGenerations.has(data.generation) ? [{ type: 'GenerationObjectsRemoved', data }] : []);

const defer = ({ videoId, generation, step, reason }: CommandOf<'DeferProcessing'>, state: UploadedVideo): Decision => {
  if (generation !== state.generation || !isStepDue(state, step)) return right([]);
  const attempt = (state.deferrals.get(stepName(step))?.attempt ?? 0) + 1;
  return right([{ type: 'ProcessingDeferred', data: { videoId, generation, step, attempt, reason } }]);
};

const retry = ({ retriedBy }: CommandOf<'RetryVideo'>, state: UploadedVideo): Decision => {
  const { videoId, generation, failure, facts } = state;
  if (failure === undefined) return reject('video-not-failed', 'The video has not failed: there is nothing to retry.');
  if (failure.stage === 'fingerprint') return blocked();
  if (!state.storedUploads.includes(state.uploadId))
    return reject('source-expired', 'The source of the video is removed: upload it again.');
  return right([{ type: 'VideoRetried', data: { videoId, generation, retriedBy, steps: missingSteps(facts) } }]);
};

const retainSource = ({ type: _, ...data }: CommandOf<'RetainSource'>, state: UploadedVideo): Decision => {
  if (state.storedUploads.length === 0) return reject('source-expired', 'The source of the video is removed already.');
  return right(state.isSourceRetained === data.isRetained ? [] : [{ type: 'SourceRetentionChanged', data }]);
};

/**
 * Of all generations. Of a video that is kept, or is processed again meanwhile, they stay. A generation that failed is never retried from then on: what
 * was made of it goes where another one plays.
 */
const expireSources = (state: UploadedVideo): Decision => {
  const { isSourceRetained, storedUploads, generation, failure, isReady } = state;
  if (isSourceRetained || (failure === undefined && !isReady)) return right([]);
  const isAbandoned =
    state.earlier !== undefined && storedUploads.length > 0 && state.storedGenerations.includes(generation);
  return right([
    ...storedUploads.map((uploadId) => sourceExpired(state, uploadId)),
    ...(isAbandoned ? [retired(state, generation)] : []),
  ]);
};

/** A video that is deleted takes the proof of that, and nothing else. */
const recordRemoval = ({ type: _, ...data }: CommandOf<'RecordRemoval'>, state: VideoState): Decision => {
  if (state.kind === 'none') return right([]);
  const isDue =
    state.kind === 'deleted'
      ? data.uploadId === null && !state.areObjectsRemoved
      : data.uploadId !== null &&
        !state.storedUploads.includes(data.uploadId) &&
        !state.removedUploads.has(data.uploadId);
  return right(isDue ? [{ type: 'VideoObjectsRemoved', data }] : []);
};

const deleted = (
  { videoId, ownerId, storedUploads: uploadIds }: UploadedVideo,
  deletedBy: PrincipalId,
): VideoEvent => ({
  type: 'VideoDeleted',
  data: { videoId, deletedBy, ownerId, uploadIds },
});

/**
 * Another upload of a video is its next generation; one that was being made of an earlier source is given up. What arrives at a deleted video is
 * removed again.
 */
const upload = ({ type: _, ...data }: CommandOf<'RecordVideoUpload'>, state: VideoState): Decision => {
  if (state.kind === 'none') return right([{ type: 'VideoUploaded', data: { ...data, generation: 1 } }]);
  if (state.kind === 'deleted') {
    const { videoId, uploadId, ownerId } = data;
    if (state.endedUploads.has(uploadId)) return right([]);
    return right([{ type: 'SourceExpired', data: { videoId, generation: 1, ownerId, uploadId } }]);
  }
  if (state.sources.has(data.uploadId)) return right([]);
  return right([{ type: 'VideoUploaded', data: { ...data, generation: state.generation + 1 } }]);
};

const decide = (command: VideoCommand, state: VideoState): Decision => {
  if (command.type === 'RecordVideoUpload') return upload(command, state);
  if (command.type === 'RecordRemoval') return recordRemoval(command, state);
  if (state.kind === 'deleted') return right([]);
  if (state.kind === 'none') return reject('video-unknown', 'There is no such video.');
  switch (command.type) {
    case 'StartGeneration':
      return startGeneration(command, state);
    case 'RetireGenerations':
      return retireGenerations(command, state);
    case 'RecordGenerationRemoval':
      return recordGenerationRemoval(command, state);
    case 'RecordVideoFact':
      return record(command, state);
    case 'OverrideFingerprint':
      return override(command, state);
    case 'FailVideo':
      return fail(command, state);
    case 'DeferProcessing':
      return defer(command, state);
    case 'RetryVideo':
      return retry(command, state);
    case 'RetainSource':
      return retainSource(command, state);
    case 'ExpireSources':
      return expireSources(state);
    case 'DeleteVideo':
      return right([deleted(state, command.deletedBy)]);
    case 'TakeDownVideo': {
      const { type: _, ...data } = command;
      return right([{ type: 'VideoTakenDown', data }, deleted(state, data.takenDownBy)]);
    }
  }
};

export const video: Decider<VideoCommand, VideoState, VideoEvent, VideoRejection> = {
  family: videos,
  initial: noVideo,
  evolve,
  decide,
};
