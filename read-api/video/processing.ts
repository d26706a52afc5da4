/** How far the processing of a video is, step by step, from the log and so without a view's delay. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Instant, integer, listOf, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { accessFactsOf } from '../../domain/video/access/state';
import { VideoId, VideoUploadId } from '../../domain/video/ids';
import { ModerationReason } from '../../domain/video/moderation-reason';
import { queueOf, transcodingQueue } from '../../domain/video/run-steps-on-video/process';
import {
  isProtectable,
  ProcessingStage,
  type ProcessingStep,
  Rendition,
  VideoCodec,
  videoCodecs,
} from '../../domain/video/video/events';
import { isRetriable, playedGeneration, statusOf, stepName, type UploadedVideo } from '../../domain/video/video/state';
import { firstStep, isStepDone, publishing, stepsOfLadder } from '../../domain/video/video/steps';
import type { EventStoreFault } from '../../infra/ports/event-store';
import { problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { videoUnknown } from '../../infra/server/video/problems';
import { findSourceUpload } from '../../infra/server/video/uploads';
import { requireVideo } from '../../infra/server/video/video-access';
import { isVideoAdministrator } from '../../infra/server/video/viewers';
import { encodingPercent } from './encoding-progress';
import { readProblems, scopes, VideoPath, type VideoReading } from './video-reading';

const StepState = oneOf('VideoStepState', ['done', 'working', 'waiting', 'failed']);

const StepAnswer = record(
  'VideoStep',
  {
    stage: ProcessingStage,
    renditions: listOf('VideoStepRenditions', Rendition, 12),
    /** `working`: it can be worked on now. `waiting`: for what the reason names. */
    state: StepState,
    /** Why it waits or failed, in a sentence. */
    reason: nullable(text('VideoStepReason', { maxLength: 500 })),
  },
  {
    /** Of renditions that are encoded in groups of segments. */
    progressPercent: integer(0, 100),
  },
);
type StepAnswer = t.TypeOf<typeof StepAnswer>;

const VideoProcessing = record(
  'VideoProcessing',
  {
    videoId: VideoId,
    /** The newest, which the steps and the failure are of; 0: the upload is not completed. */
    generation: integer(0),
    /** Of the newest generation, beside H.264. */
    codec: VideoCodec,
    generationStatus: oneOf('VideoGenerationStatus', ['processing', 'ready', 'failed']),
    /** An earlier one that was ready is played until the newest is; 0: none can be played. */
    playedGeneration: integer(0),
    /** Of the video: ready while any generation is. */
    status: oneOf('ProcessedVideoStatus', ['uploading', 'processing', 'ready', 'failed']),
    /** When the first rendition of what is played could be played. */
    playableAt: nullable(Instant),
    failure: nullable(
      record('VideoFailure', {
        stage: ProcessingStage,
        code: text('FailedVideoCode', { maxLength: 64 }),
        detail: text('FailedVideoDetail', { maxLength: 500 }),
      }),
    ),
    /** Whether `POST /api/videos/{videoId}/retry` may end otherwise: not where the source is at fault. */
    isRetriable: t.boolean,
    steps: listOf('VideoSteps', StepAnswer, 24),
    /** That another generation may have beside H.264: of a protected video, only codecs that can be encrypted. */
    codecs: listOf('OfferedVideoCodecs', VideoCodec, 8),
  },
  {
    /** Of a source that is to take the place of the one that the video has. */
    sourceUpload: record('VideoSourceUpload', {
      uploadId: VideoUploadId,
      fileSize: integer(1),
      expiresAt: Instant,
    }),
    /** Of a match with a blocked recording. */
    matchOverride: record('VideoMatchOverridden', {
      overriddenBy: PrincipalId,
      /** Null: it was overridden before reasons were recorded. */
      reason: nullable(ModerationReason),
    }),
  },
);

const unserved = 'No worker is running that can do this; the video continues once there is one.';

const stepAnswer = async (
  reading: VideoReading,
  tenant: TenantId,
  { video, step }: { readonly video: UploadedVideo; readonly step: ProcessingStep },
): Promise<Either<EventStoreFault, StepAnswer>> => {
  const shared = { stage: step.stage, renditions: step.renditions };
  if (isStepDone(video.facts, step)) return right({ ...shared, state: 'done', reason: null });
  const { failure } = video;
  if (failure !== undefined)
    return right({
      ...shared,
      ...(failure.stage === step.stage
        ? { state: 'failed', reason: failure.detail }
        : { state: 'waiting', reason: 'The video has failed.' }),
    });
  const percent =
    step.stage === 'transcode'
      ? await encodingPercent(
          { store: reading.source.store, jobs: reading.jobs },
          { tenant, video, renditions: step.renditions },
        )
      : right(undefined);
  if (isLeft(percent)) return percent;
  const progressPercent = percent.right;
  const queue = step.stage === 'transcode' ? transcodingQueue : queueOf(step.stage);
  const served = await reading.jobs.isServed(queue.name);
  const isServed = isLeft(served) || served.right;
  const reason = isServed ? (video.deferrals.get(stepName(step))?.reason ?? null) : unserved;
  return right({
    ...shared,
    state: reason === null ? 'working' : 'waiting',
    reason,
    ...(progressPercent === undefined ? {} : { progressPercent }),
  });
};

const stepsOf = ({ facts }: UploadedVideo): readonly ProcessingStep[] =>
  facts.ladder === undefined ? [firstStep] : [firstStep, ...stepsOfLadder(facts.ladder), publishing];

const generationStatus = ({ isReady, failure }: Pick<UploadedVideo, 'isReady' | 'failure'>) => {
  if (failure !== undefined) return 'failed' as const;
  return isReady ? ('ready' as const) : ('processing' as const);
};

export const getVideoProcessing = route<VideoReading>()({
  method: 'get',
  path: '/api/videos/:videoId/processing',
  operation: 'getVideoProcessing',
  summary: 'Get how far the processing of a video is',
  description:
    'Step by step, from the log: what is done, what is worked on, and why the rest waits. For the owner and administrators; to others the video is one that never was.',
  access: { scopes },
  params: VideoPath,
  answers: { 200: { description: 'As the log has it now.', body: VideoProcessing } },
  problems: readProblems,
  handle: async (reading, { params: { videoId }, identity }) => {
    const { tenantId: tenant, principalId } = identity;
    if (!TenantId.is(tenant)) return problem('forbidden', 'The tenant of the token is unknown.');
    const found = await requireVideo(reading.source, { tenant, videoId });
    if (isLeft(found)) return found.left;
    const { ownerId, uploaded } = found.right.video;
    const isProtected = accessFactsOf(found.right.access, videoId).protection !== 'none';
    const codecs = videoCodecs.filter((one) => !isProtected || isProtectable(one));
    if (ownerId !== principalId && !isVideoAdministrator(identity)) return videoUnknown;
    if (uploaded === undefined) {
      const none = { playedGeneration: 0, playableAt: null, failure: null, isRetriable: false, steps: [], codecs };
      const next = { generation: 0, codec: 'h264', generationStatus: 'processing' } as const;
      return { status: 200, body: { videoId, ...next, status: 'uploading' as const, ...none } };
    }
    const steps: StepAnswer[] = [];
    for (const step of stepsOf(uploaded)) {
      const answer = await stepAnswer(reading, tenant, { video: uploaded, step });
      if (isLeft(answer)) return problemOf(answer.left, readProblems);
      steps.push(answer.right);
    }
    const upload = await findSourceUpload(reading.source, { tenant, videoId });
    if (isLeft(upload)) return problemOf(upload.left, readProblems);
    const { uploadId, fileSize, expiresAt } = upload.right ?? {};
    const { generation, codec, failure = null } = uploaded;
    const played = playedGeneration(uploaded);
    const { playableAt = null } = played;
    const status = statusOf(uploaded);
    return {
      status: 200,
      body: {
        ...{ videoId, generation, codec, playableAt, failure, steps, codecs },
        generationStatus: generationStatus(uploaded),
        playedGeneration: played.facts.manifest === undefined ? 0 : played.generation,
        status: status === 'deleted' ? 'failed' : status,
        isRetriable: failure !== null && isRetriable(failure),
        ...(upload.right === undefined ? {} : { sourceUpload: { uploadId, fileSize, expiresAt } }),
        ...(uploaded.facts.override === undefined ? {} : { matchOverride: uploaded.facts.override }),
      },
    };
  },
});
