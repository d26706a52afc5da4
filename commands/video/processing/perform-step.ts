/** Performs one step of a video's processing in a worker, and records how it ended. */
import { isLeft, left } from 'fp-ts/Either';
import { TenantId } from '../../../domain/kernel/ids';
import type { StepJob } from '../../../domain/video/run-steps-on-video/process';
import { queueOf } from '../../../domain/video/run-steps-on-video/process';
import { type VideoCommand, video } from '../../../domain/video/video/decider';
import { videoStream } from '../../../domain/video/video/events';
import { stepName } from '../../../domain/video/video/state';
import { isStepDue } from '../../../domain/video/video/steps';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import {
  mostTries,
  nothingToRecord,
  performRecorded,
  type Recorded,
  unlessLogIsAway,
} from '../../kernel/work-queue/recorded-job';
import type { PerformStep, StepRun } from './step-run';

const send = async ({ deps, tenant, job }: StepRun, command: VideoCommand, what: string): Promise<Recorded> => {
  const { videoId, generation, step } = job.payload;
  const handled = await handle(deps, video, {
    stream: videoStream(tenant, videoId),
    command,
    tenant,
    actor: `system:work.${queueOf(step.stage).name}`,
    ...job.cause,
    commandId: derivedId('video-step', tenant, videoId, generation, stepName(step), what, job.token),
  });
  return isLeft(handled) ? again(handled.left.detail) : nothingToRecord;
};

const sentences = {
  lost: `The workers that processed the video were lost ${mostTries} times. Retry it, or upload it in another format.`,
  defective: 'The video could not be processed. Retry it later.',
};

const performAndRecord = (stepRun: StepRun, perform: PerformStep): Promise<Recorded> => {
  const { job, run, deps } = stepRun;
  const { videoId, generation, step } = job.payload;
  return performRecorded({
    ...{ job, run, sentences },
    log: deps.log,
    perform: () => perform(stepRun),
    complete: async (facts) => {
      for (const [index, fact] of facts.entries()) {
        const sent = await send(stepRun, { type: 'RecordVideoFact', fact }, `fact-${index}`);
        if (isLeft(sent)) return sent;
      }
      return nothingToRecord;
    },
    defer: (reason) => send(stepRun, { type: 'DeferProcessing', videoId, generation, step, reason }, 'deferral'),
    refuse: (code, detail) =>
      send(stepRun, { type: 'FailVideo', videoId, generation, stage: step.stage, code, detail }, 'failure'),
  });
};

const performDueStep = async (
  deps: WorkerAdapters,
  perform: PerformStep,
  { job, run }: Pick<StepRun, 'job' | 'run'>,
): Promise<Recorded> => {
  const { tenant, payload } = job;
  if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
  const loaded = await loadStream(deps, video, videoStream(tenant, payload.videoId));
  if (isLeft(loaded)) return again(loaded.left.detail);
  const state = loaded.right;
  if (state.kind !== 'uploaded' || state.generation !== payload.generation || !isStepDue(state, payload.step))
    return nothingToRecord;
  const stepRun: StepRun = { deps, tenant, job, run, state };
  return performAndRecord(stepRun, perform);
};

/** A step that is done, or of an earlier generation, has no effect. */
export const performStep =
  (deps: WorkerAdapters, perform: PerformStep): PerformJob<StepJob> =>
  async (job, run) =>
    unlessLogIsAway({ job, run }, await performDueStep(deps, perform, { job, run }));
