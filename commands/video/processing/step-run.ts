/** What a step of a video's processing works with, and how it ends. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Generation } from '../../../domain/video/keys';
import type { StepJob } from '../../../domain/video/run-steps-on-video/process';
import type { VideoFact } from '../../../domain/video/video/decider';
import type { UploadedVideo } from '../../../domain/video/video/state';
import {
  again,
  type DecodedJob,
  type JobFailure,
  type JobRun,
  type WorkerAdapters,
} from '../../kernel/work-queue/job-handler';
import { type Deferred, type Refusal, refuse } from '../../kernel/work-queue/recorded-job';
import { type ContentKey, contentKeyOf } from '../protection/content-keys';

/** What programs and stored descriptions need of a job of a video: steps have it, and jobs beside them. */
export interface MediaJob {
  readonly deps: WorkerAdapters;
  readonly tenant: TenantId;
  readonly run: JobRun;
  readonly job: {
    readonly key: string;
    readonly attempt: number;
    readonly payload: Pick<StepJob, 'videoId' | 'generation'>;
  };
}

export interface StepRun extends MediaJob {
  readonly job: DecodedJob<StepJob>;
  readonly state: UploadedVideo;
}

/** The source never becomes a film, whatever is tried. */
export type VideoFault = Refusal<string>;

export type StepFailure = JobFailure | VideoFault | Deferred;
export type StepEnd = Promise<Either<StepFailure, readonly VideoFact[]>>;
export type PerformStep = (step: StepRun) => StepEnd;

export const refuseVideo = (code: string, detail: string): Either<VideoFault, never> => refuse(code, detail);

export const generationOf = ({ tenant, job: { payload } }: Pick<MediaJob, 'tenant' | 'job'>): Generation => ({
  tenant,
  videoId: payload.videoId,
  generation: payload.generation,
});

/** Undefined: it is not to be encrypted. The caller overwrites the bytes. */
export const generationKey = async (step: MediaJob): Promise<Either<StepFailure, ContentKey | undefined>> => {
  const key = await contentKeyOf(step.deps, generationOf(step));
  if (!isLeft(key)) return key;
  return key.left.code === 'video-recalled'
    ? refuseVideo('KEYS_DESTROYED', 'The keys of the video were destroyed.')
    : again(key.left.detail);
};
