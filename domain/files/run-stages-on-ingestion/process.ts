/** Stages follow each other as jobs for workers. A stage that was put off is tried again. */
import type { TypeOf } from 'io-ts';
import { oneOf, record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type EnqueueJob, enqueueJob, policy } from '../../kernel/process';
import { FileId, VersionId } from '../ids';
import { type IngestionEvent, ingestions } from '../ingestion/events';
import { type JobStage, jobStages, PipelineVersion } from '../pipeline';

const StageJob = record('IngestionStageJob', {
  fileId: FileId,
  versionId: VersionId,
  pipelineVersion: PipelineVersion,
  stage: oneOf('IngestionJobStage', jobStages),
});
export type StageJob = TypeOf<typeof StageJob>;

export const ingestionQueue: JobQueue<StageJob> = { name: 'files-ingestion', payload: StageJob };

/** A model or program that is away for hours is waited for, and found again within ten minutes. */
const delayAfter = (attempt: number): number => Math.min(15 * 2 ** Math.min(attempt, 10), 600);

const next = ({
  type,
  data,
}: IngestionEvent): { readonly stage: JobStage; readonly delaySeconds?: number } | undefined => {
  switch (type) {
    case 'IngestionRequested':
      return { stage: jobStages[0] };
    case 'StageCompleted': {
      const stage = jobStages[jobStages.indexOf(data.stage as JobStage) + 1];
      return stage === undefined ? undefined : { stage };
    }
    case 'StageDeferred':
      return data.stage === 'indexing' ? undefined : { stage: data.stage, delaySeconds: delayAfter(data.attempt) };
    case 'StageRetried':
      return data.stage === 'indexing' ? undefined : { stage: data.stage };
    case 'ChunksIndexed':
    case 'ChunksWithdrawn':
    case 'IngestionPartlyReady':
    case 'IngestionReady':
    case 'IngestionFailed':
    case 'IngestionCancelled':
      return undefined;
  }
};

/** Small files go before large ones. */
const priorityOf = (sizeBytes: number | undefined): number =>
  sizeBytes !== undefined && sizeBytes < 2_000_000 ? 1 : 0;

export const runStagesOnIngestion = policy({
  name: 'run-stages-on-ingestion',
  context: 'files',
  subscribes: [ingestions],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (next(event) === undefined ? undefined : entityId),
  answer: ({ event }): readonly EnqueueJob[] => {
    const due = next(event);
    if (due === undefined) return [];
    const { fileId, versionId, pipelineVersion } = event.data;
    const { stage, delaySeconds } = due;
    const size = event.type === 'IngestionRequested' ? event.data.source.sizeBytes : undefined;
    return [
      enqueueJob(
        ingestionQueue,
        { fileId, versionId, pipelineVersion, stage },
        { jobKind: stage, priority: priorityOf(size), ...(delaySeconds === undefined ? {} : { delaySeconds }) },
      ),
    ];
  },
});
