/** What a stage works with, and how it ends. */
import type { Either } from 'fp-ts/Either';
import type { FileErrorCode } from '../../../domain/files/content/error-code';
import type { ChunkPart, StageResult } from '../../../domain/files/ingestion/events';
import type { RequestedIngestion } from '../../../domain/files/ingestion/state';
import type { StageJob } from '../../../domain/files/run-stages-on-ingestion/process';
import type { TenantId } from '../../../domain/kernel/ids';
import type { DecodedJob, JobRun, WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { type RecordedEnd, type Refusal, refuse } from '../../kernel/work-queue/recorded-job';

export interface StageRun {
  readonly deps: WorkerAdapters;
  readonly tenant: TenantId;
  readonly job: DecodedJob<StageJob>;
  readonly run: JobRun;
  readonly state: RequestedIngestion;
}

export interface StageOutcome {
  readonly result: StageResult;
  /** Of the stages that make chunks. */
  readonly indexed?: { readonly parts: readonly ChunkPart[]; readonly embeddingModel: string | null };
}

/** The file will never be usable, whatever is tried. */
export type FileFault = Refusal<FileErrorCode>;

export const refuseFile = (code: FileErrorCode, detail: string): Either<FileFault, never> => refuse(code, detail);

export type StageEnd = Promise<RecordedEnd<StageOutcome, FileErrorCode>>;

export const plainResult = (more: Partial<StageResult> = {}): StageResult => ({
  format: null,
  outputs: [],
  count: 0,
  notice: null,
  ...more,
});
