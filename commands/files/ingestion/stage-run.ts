/** What a stage works with, and how it ends. */
import { type Either, left } from 'fp-ts/Either';
import type { FileErrorCode } from '../../../domain/files/content/error-code';
import type { ChunkPart, StageResult } from '../../../domain/files/ingestion/events';
import type { RequestedIngestion } from '../../../domain/files/ingestion/state';
import type { StageJob } from '../../../domain/files/run-stages-on-ingestion/process';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Embedder } from '../../../infra/ports/files/embedder';
import type { ReaderProgram } from '../../../infra/ports/files/reader-program';
import type { DecodedJob, JobFailure, JobRun, WorkerAdapters } from '../../kernel/work-queue/job-handler';

export interface StageDeps extends WorkerAdapters {
  readonly embedder: Embedder | undefined;
  readonly reader: ReaderProgram;
}

export interface StageRun {
  readonly deps: StageDeps;
  readonly tenant: TenantId;
  readonly job: DecodedJob<StageJob>;
  readonly run: JobRun;
  readonly state: RequestedIngestion;
}

/** The file will never be usable, whatever is tried. */
export interface FileFault {
  readonly kind: 'file-fault';
  readonly code: FileErrorCode;
  readonly detail: string;
}

/** It is done without what is away, and tried again later. */
export interface Deferred {
  readonly kind: 'deferred';
  readonly reason: string;
}

export interface StageOutcome {
  readonly result: StageResult;
  /** Of the stages that make chunks. */
  readonly indexed?: { readonly parts: readonly ChunkPart[]; readonly embeddingModel: string | null };
}

export type StageEnd = Promise<Either<JobFailure | FileFault | Deferred, StageOutcome>>;

export const again = (reason: string): Either<JobFailure, never> => left({ kind: 'transient', reason });

export const refuseFile = (code: FileErrorCode, detail: string): Either<FileFault, never> =>
  left({ kind: 'file-fault', code, detail });

export const plainResult = (more: Partial<StageResult> = {}): StageResult => ({
  format: null,
  outputs: [],
  count: 0,
  notice: null,
  ...more,
});
