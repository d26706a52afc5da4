/** Performs a job that makes something beside a video, and records how it ended: as steps of its processing do, but the video never fails for it. */
import { type Either, isLeft, left } from 'fp-ts/Either';
import { TenantId } from '../../../domain/kernel/ids';
import type { VideoId } from '../../../domain/video/ids';
import { type SidecarCommand, videoSidecars } from '../../../domain/video/sidecars/decider';
import { sidecarStream } from '../../../domain/video/sidecars/events';
import type { SidecarState } from '../../../domain/video/sidecars/state';
import { video } from '../../../domain/video/video/decider';
import { videoStream } from '../../../domain/video/video/events';
import { type PlayedGeneration, playedGeneration } from '../../../domain/video/video/state';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import {
  again,
  type DecodedJob,
  type JobRun,
  type PerformJob,
  type WorkerAdapters,
} from '../../kernel/work-queue/job-handler';
import { nothingToRecord, performRecorded, type Recorded } from '../../kernel/work-queue/recorded-job';
import type { MediaJob, StepFailure } from '../processing/step-run';

export interface SidecarRun<Payload> {
  readonly media: MediaJob;
  readonly payload: Payload;
  readonly played: PlayedGeneration;
  readonly sidecars: SidecarState;
}

type End = Promise<Either<StepFailure, SidecarCommand>>;

interface SidecarWork<Payload> {
  readonly actor: string;
  /** Of a request that is not the newest, or has ended, nothing is made. */
  readonly isDue: (sidecars: SidecarState, payload: Payload) => boolean;
  readonly perform: (run: SidecarRun<Payload>) => End;
  readonly defer: (payload: Payload, reason: string) => SidecarCommand;
  readonly fail: (payload: Payload, detail: string) => SidecarCommand;
}

const sentences = {
  lost: 'The workers that did it were lost too often.',
  defective: 'It could not be done. Request it again later.',
};

export const performSidecar =
  <Payload extends { readonly videoId: VideoId }>(
    deps: WorkerAdapters,
    work: SidecarWork<Payload>,
  ): PerformJob<Payload> =>
  async (job: DecodedJob<Payload>, run: JobRun) => {
    const { tenant, payload } = job;
    const { videoId } = payload;
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const stream = sidecarStream(tenant, videoId);
    const sidecars = await loadStream(deps, videoSidecars, stream);
    if (isLeft(sidecars)) return again(sidecars.left.detail);
    const loaded = await loadStream(deps, video, videoStream(tenant, videoId));
    if (isLeft(loaded)) return again(loaded.left.detail);
    const uploaded = loaded.right;
    if (uploaded.kind !== 'uploaded' || !work.isDue(sidecars.right, payload)) return nothingToRecord;
    const played = playedGeneration(uploaded);
    const { generation } = played;
    const media: MediaJob = {
      deps,
      tenant,
      run,
      job: { key: job.key, attempt: job.attempt, payload: { videoId, generation } },
    };
    const record = async (command: SidecarCommand): Promise<Recorded> => {
      const recorded = await handle(deps, videoSidecars, {
        ...{ stream, tenant, actor: work.actor, command, ...job.cause },
        commandId: derivedId('video-sidecar', tenant, videoId, command.type, job.token),
      });
      return isLeft(recorded) ? again(recorded.left.detail) : nothingToRecord;
    };
    return performRecorded({
      ...{ job, run, sentences },
      log: deps.log,
      perform: () => work.perform({ media, payload, played, sidecars: sidecars.right }),
      complete: record,
      defer: (reason) => record(work.defer(payload, reason)),
      refuse: (_, detail) => record(work.fail(payload, detail)),
    });
  };
