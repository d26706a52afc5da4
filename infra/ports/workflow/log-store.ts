/** Chunks of jobs' logs, stored in the order of their numbers and read by any number of viewers. */
import type { Either } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { TenantId } from '../../../domain/kernel/ids';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import type { Checksum, JobId, RunId } from '../../../domain/workflow/ids';

export type LogStoreFault = Fault<'log-store-unavailable'>;

/** One attempt of a job. */
export interface LogLocation {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly jobId: JobId;
  readonly attempt: number;
}

export interface StoredChunk {
  readonly chunkOffset: number;
  readonly byteStart: number;
  readonly byteEnd: number;
  readonly checksum: Checksum;
  readonly encoding: 'plain' | 'gzip';
  readonly payload: Uint8Array;
  readonly emittedAt: Instant;
}

export interface LogState {
  /** Every chunk before this number is stored. */
  readonly next: number;
  readonly bytes: number;
  /** Set once the attempt ended: how many chunks there are to be, null where the runner never said. */
  readonly end: { readonly chunks: number | null } | undefined;
}

export interface LogStore {
  /** Stores chunks, in any order and again; answers the highest contiguous one. */
  readonly append: (
    log: LogLocation,
    chunks: readonly StoredChunk[],
  ) => Promise<Either<LogStoreFault | Rejection<'chunk-differs' | 'log-ended'>, LogState>>;
  /** From `chunkOffset`, in order, without a gap, until `maxBytes` of payload are reached. */
  readonly read: (
    log: LogLocation,
    fromOffset: number,
    maxBytes: number,
  ) => Promise<Either<LogStoreFault, { readonly chunks: readonly StoredChunk[]; readonly state: LogState }>>;
  /** No chunk of the attempt is accepted after a short while. */
  readonly end: (log: LogLocation, chunks: number | null) => Promise<Either<LogStoreFault, void>>;
  /** Calls when the log has grown or ended, at least once after each; may call without cause. */
  readonly watch: (log: LogLocation, notify: () => void) => { readonly close: () => void };
  readonly close: () => Promise<void>;
}
