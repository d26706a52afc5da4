/** Performs one stage of the processing of a version in a worker. */
import { right } from 'fp-ts/Either';
import type { StageJob } from '../../../domain/files/run-stages-on-ingestion/process';
import type { PerformJob, WorkerAdapters } from '../../kernel/work-queue/job-handler';

export const performStage =
  (_adapters: WorkerAdapters): PerformJob<StageJob> =>
  async () =>
    right([]);
