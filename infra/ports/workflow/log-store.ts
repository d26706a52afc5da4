/** Chunks of jobs' logs, stored in the order of their numbers and read by any number of viewers; and the steps that runners report. */
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import type { Checksum, JobId, RunId } from '../../../domain/workflow/ids';
import type { StepReport } from '../../../domain/workflow/run/events';

export type LogStoreFault = Fault<'log-store-unavailable'>;
/** It is older than logs are retained. */
export type LogExpired = Rejection<'log-expired'>;

/** One attempt of a job. */
export interface LogLocation {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly attempt: number;
}

export interface FoundLog extends LogLocation {
  /** It is older than logs are retained. */
  readonly isExpired: boolean;
}

/** As it was sent, and checked. It begins at the byte where the chunk before it ends. */
export interface ReceivedChunk {
  readonly chunkOffset: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly checksum: Checksum;
  readonly encoding: 'plain' | 'gzip';
  readonly payload: Uint8Array;
  readonly emittedAt: Instant;
  /** In its text. */
  readonly lineFeeds: number;
}

export interface StoredChunk extends Omit<ReceivedChunk, 'lineFeeds'> {
  /** How many line feeds are before it. */
  readonly lineStart: number;
}

export interface LogState {
  /** Every chunk before this number is stored. */
  readonly next: number;
  /** Of the text in those chunks. */
  readonly bytes: number;
  /** Line feeds in that text. */
  readonly lines: number;
  /** Set once the attempt ended: how many chunks there are to be, null where the runner did not send it. */
  readonly end: { readonly chunks: number | null } | undefined;
  /** Nothing comes after `next`: the attempt ended, and every chunk is there or the time for late ones is over. */
  readonly isComplete: boolean;
  /** Rises with every report of a step. */
  readonly stepsRevision: number;
}

export interface StoredPage {
  readonly chunks: readonly StoredChunk[];
  readonly state: LogState;
}

export interface NamedJob {
  readonly tenantId: TenantId;
  readonly jobId: JobId;
  readonly attempt?: number;
}

/** What viewers are answered with. */
export interface LogReader {
  /** The attempt of the job, or without a number the latest one. Undefined: no runner has had it. */
  readonly find: (job: NamedJob) => Promise<Either<LogStoreFault, FoundLog | undefined>>;
  /** From `chunkOffset`, in order, without a gap, until `maxBytes` of text are reached; at least one where there is one. */
  readonly read: (
    log: LogLocation,
    fromOffset: number,
    maxBytes: number,
  ) => Promise<Either<LogStoreFault | LogExpired, StoredPage>>;
  /** What ends right before `chunkOffset`, in order, without a gap: the last chunks that have `maxBytes` of text, at least one where there is one. */
  readonly readBefore: (
    log: LogLocation,
    beforeOffset: number,
    maxBytes: number,
  ) => Promise<Either<LogStoreFault | LogExpired, StoredPage>>;
  /** The number of the chunk that has the byte; of the last one where there are fewer bytes. */
  readonly chunkAt: (log: LogLocation, byte: number) => Promise<Either<LogStoreFault | LogExpired, number>>;
}

export interface LogStore extends LogReader {
  /** Without a tenant, of any. */
  readonly find: (
    job: Omit<NamedJob, 'tenantId'> & { readonly tenantId: TenantId | null },
  ) => ReturnType<LogReader['find']>;
  /** A runner got the attempt: from now on its log is found. Again without effect. */
  readonly open: (log: LogLocation) => Promise<Either<LogStoreFault, void>>;
  /** Stores chunks, in any order and again; answers the highest contiguous one. */
  readonly append: (
    log: LogLocation,
    chunks: readonly ReceivedChunk[],
  ) => Promise<Either<LogStoreFault | Rejection<'chunk-differs' | 'log-ended' | 'log-unknown'>, LogState>>;
  /** No chunk of the attempt is accepted after a short while. Again without effect. */
  readonly end: (log: LogLocation, chunks: number | null) => Promise<Either<LogStoreFault, void>>;
  /** The last report of each step counts. */
  readonly reportStep: (log: LogLocation, step: StepReport) => Promise<Either<LogStoreFault, void>>;
  /** In the order of their numbers. */
  readonly steps: (log: LogLocation) => Promise<Either<LogStoreFault, readonly StepReport[]>>;
  /** Calls when the log has grown or ended, at least once after each; may call without cause. */
  readonly watch: (log: LogLocation, notify: () => void) => { readonly close: () => void };
  readonly close: () => Promise<void>;
}
