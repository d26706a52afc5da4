/** Stages follow each other as jobs for workers. A stage that was put off is tried again. */
import type { TypeOf } from 'io-ts';
import { integer, record } from '../../kernel/codec';
import { family } from '../../kernel/family';
import type { JobQueue } from '../../kernel/job-queue';
import { type EnqueueJob, enqueueJob, type Process, type Send, type TriggerEvent } from '../../kernel/process';
import { FileId, VersionId } from '../ids';
import { type IngestionEvent, ingestions } from '../ingestion/events';
import { type JobStage, JobStageName, jobStagesOf, PipelineVersion, readingStages } from '../pipeline';

const StageJob = record('IngestionStageJob', {
  fileId: FileId,
  versionId: VersionId,
  pipelineVersion: PipelineVersion,
  stage: JobStageName,
});
export type StageJob = TypeOf<typeof StageJob>;

/** Of stages that any worker performs. */
export const ingestionQueue: JobQueue<StageJob> = { name: 'files-ingestion', payload: StageJob };
/** Of stages that run programs: for workers that can isolate them. */
export const readingQueue: JobQueue<StageJob> = { name: 'files-reading', payload: StageJob };

export const queueOf = (stage: JobStage): JobQueue<StageJob> =>
  readingStages.includes(stage) ? readingQueue : ingestionQueue;

/** A model or program that is away for hours is waited for, and found again within ten minutes. */
const delayAfter = (attempt: number): number => Math.min(15 * 2 ** Math.min(attempt, 10), 600);

interface DueStage {
  readonly stage: JobStage;
  readonly delaySeconds?: number;
}

const isJobStage = (stage: string): stage is JobStage => JobStageName.is(stage);

/** The stage that is due with the event; undefined where none is. */
export const dueStage = ({ type, data }: IngestionEvent): DueStage | undefined => {
  switch (type) {
    case 'EmbeddingRequested':
      return { stage: 'embedding' };
    case 'IngestionRequested':
    case 'ReindexingRequested': {
      const [stage] = jobStagesOf(data.pipelineVersion);
      return stage === undefined ? undefined : { stage };
    }
    case 'StageCompleted': {
      const order: readonly string[] = jobStagesOf(data.pipelineVersion);
      const stage = jobStagesOf(data.pipelineVersion)[order.indexOf(data.stage) + 1];
      return stage === undefined ? undefined : { stage };
    }
    case 'StageDeferred':
      return isJobStage(data.stage) ? { stage: data.stage, delaySeconds: delayAfter(data.attempt) } : undefined;
    case 'StageRetried':
      return isJobStage(data.stage) ? { stage: data.stage } : undefined;
    case 'ChunksIndexed':
    case 'ChunksWithdrawn':
    case 'IngestionPartlyReady':
    case 'IngestionReady':
    case 'IngestionFailed':
    case 'IngestionCancelled':
      return undefined;
  }
};

interface KnownFile {
  readonly sizeBytes?: number;
  readonly isReindexing?: true;
}

/** Small files go before large ones, in all stages; what answers already and is processed again comes after all of them. */
const priorityOf = ({ sizeBytes, isReindexing }: KnownFile): number => {
  if (isReindexing === true) return -1;
  if (sizeBytes === undefined || sizeBytes >= 100_000_000) return 0;
  if (sizeBytes >= 20_000_000) return 1;
  return sizeBytes >= 2_000_000 ? 2 : 3;
};

/**
 * More than a stage is tried: a worker that is lost again and again leaves a job that the next one ends, and no dead letter that the file would
 * wait for.
 */
const mostAttempts = 100;

/** Later events do not name the size, nor why the version is processed. */
const memory = family('files', {
  IngestionSizeNoted: { v: 1, data: { sizeBytes: integer(1) } },
  ReindexingNoted: { v: 1, data: {} },
});
type Memory = typeof memory.Event;

const notesOf = ({ type, data }: IngestionEvent): readonly Memory[] => {
  if (type === 'IngestionRequested')
    return [{ type: 'IngestionSizeNoted', data: { sizeBytes: data.source.sizeBytes } }];
  const isAgain = type === 'ReindexingRequested' || type === 'EmbeddingRequested';
  return isAgain ? [{ type: 'ReindexingNoted', data: {} }] : [];
};

const evolve = (known: KnownFile, { type, data }: Memory): KnownFile =>
  type === 'IngestionSizeNoted' ? { ...known, sizeBytes: data.sizeBytes } : { ...known, isReindexing: true };

const name = 'run-stages-on-ingestion';

export const runStagesOnIngestion: Process<KnownFile, Memory, IngestionEvent, Send> = {
  name,
  context: 'files',
  subscribes: [ingestions],
  startFrom: 'first-event',
  key: ({ event, entityId }: TriggerEvent<IngestionEvent>) => (dueStage(event) === undefined ? undefined : entityId),
  stateEvents: memory,
  initial: {},
  evolve,
  react: (before, { event }) => {
    const due = dueStage(event);
    if (due === undefined) return {};
    const { fileId, versionId, pipelineVersion } = event.data;
    const { stage, delaySeconds } = due;
    const stateEvents = notesOf(event);
    const known = stateEvents.reduce(evolve, before);
    const job: EnqueueJob = enqueueJob(
      queueOf(stage),
      { fileId, versionId, pipelineVersion, stage },
      {
        jobKind: stage,
        priority: priorityOf(known),
        mostAttempts,
        ...(delaySeconds === undefined ? {} : { delaySeconds }),
      },
    );
    return { actions: [job], ...(stateEvents.length === 0 ? {} : { stateEvents }) };
  },
};
