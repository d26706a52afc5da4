/** Steps of a video's processing become jobs as soon as what they need is known. A step that was put off is tried again. */
import * as t from 'io-ts';
import { integer, record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type EnqueueJob, enqueueJob, policy, type Send } from '../../kernel/process';
import { VideoId } from '../ids';
import { type ProcessingStage, ProcessingStep, type VideoEvent, videos } from '../video/events';
import { stepName } from '../video/state';
import { firstStep, publishing, stepsOfLadder } from '../video/steps';

const StepJob = record(
  'VideoStepJob',
  { videoId: VideoId, generation: integer(1), step: ProcessingStep },
  {
    /** Of `transcode`, once it is planned: one of its groups, from 0. */
    group: integer(0),
    /** And once all groups are there. */
    isJoin: t.literal(true),
  },
);
export type StepJob = t.TypeOf<typeof StepJob>;

/** Of steps that run programs for seconds to minutes. */
export const processingQueue: JobQueue<StepJob> = { name: 'video-processing', payload: StepJob };
/** Of groups of segments, which take the whole machine. */
export const transcodingQueue: JobQueue<StepJob> = { name: 'video-transcoding', payload: StepJob };
/** Of steps that any worker performs. */
export const publishingQueue: JobQueue<StepJob> = { name: 'video-publishing', payload: StepJob };

/** The planning of an encoding is light. */
export const queueOf = (stage: ProcessingStage): JobQueue<StepJob> =>
  stage === 'publish' || stage === 'transcode' ? publishingQueue : processingQueue;

/** What is waited for before the first picture goes first. */
export const priorityOf = ({ stage, renditions }: ProcessingStep): number => {
  if (stage === 'transcode')
    return renditions.some(({ resolution, codec }) => resolution === '360p' && codec === 'h264') ? 2 : 0;
  return stage === 'sprite' || stage === 'captions' || stage === 'fingerprint' ? 1 : 3;
};

/** A program that is away for hours is waited for, and found again within ten minutes. */
export const delayAfter = (attempt: number): number => Math.min(15 * 2 ** Math.min(attempt, 10), 600);

/** A worker that is lost again and again leaves a job that the next one ends, and no dead letter that the video would wait for. */
export const mostAttempts = 100;

interface DueSteps {
  readonly steps: readonly ProcessingStep[];
  readonly delaySeconds?: number;
}

const dueSteps = ({ type, data }: VideoEvent): DueSteps | undefined => {
  switch (type) {
    case 'VideoUploaded':
    case 'GenerationStarted':
      return { steps: [firstStep] };
    case 'LadderPlanned':
      return { steps: stepsOfLadder(data) };
    case 'RenditionPackaged':
    case 'VideoAudioReady':
      return { steps: [publishing] };
    case 'ProcessingDeferred':
      return { steps: [data.step], delaySeconds: delayAfter(data.attempt) };
    case 'VideoRetried':
      return { steps: data.steps };
    case 'VideoProbed':
    case 'VideoSpriteReady':
    case 'VideoCaptionsReady':
    case 'FingerprintCleared':
    case 'FingerprintMatched':
    case 'FingerprintOverridden':
    case 'ManifestPublished':
    case 'VideoReady':
    case 'SourceReplaced':
    case 'VideoFailed':
    case 'GenerationFailed':
    case 'GenerationRetired':
    case 'GenerationObjectsRemoved':
    case 'SourceRetentionChanged':
    case 'SourceExpired':
    case 'VideoObjectsRemoved':
    case 'VideoDeleted':
    case 'VideoTakenDown':
      return undefined;
  }
};

export const runStepsOnVideo = policy<VideoEvent, Send>({
  name: 'run-steps-on-video',
  context: 'video',
  subscribes: [videos],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (dueSteps(event) === undefined ? undefined : entityId),
  answer: ({ event }) => {
    const due = dueSteps(event);
    if (due === undefined || !('generation' in event.data)) return [];
    const { videoId, generation } = event.data;
    const { steps, delaySeconds } = due;
    return steps.map(
      (step): EnqueueJob =>
        enqueueJob(
          queueOf(step.stage),
          { videoId, generation, step },
          {
            jobKind: stepName(step),
            priority: priorityOf(step),
            mostAttempts,
            ...(delaySeconds === undefined ? {} : { delaySeconds }),
          },
        ),
    );
  },
});
