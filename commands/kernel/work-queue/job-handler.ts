/** A work queue as a context declares it, and what performs its jobs in a worker. */
import type { Either } from 'fp-ts/Either';
import type { Send } from '../../../domain/kernel/process';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Job, Progress } from '../../../infra/ports/processes/work-queue';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import type { Sandboxes } from '../../../infra/ports/sandbox';
import type { Vault } from '../../../infra/ports/vault';
import type { CommandTargets } from '../processes/process-binding';

export interface JobFailure {
  /** `never`: a retry would fail as well. */
  readonly kind: 'again' | 'never';
  readonly reason: string;
}

/** One attempt at a job, as its handler sees it. */
export interface JobRun {
  /**
   * Aborts when the job is cancelled, its deadline has passed, the claim is lost, or the process cannot wait any longer. The handler then has
   * the grace period of its queue; what it answers does not count any more.
   */
  readonly signal: AbortSignal;
  /** Shown to the job's tenant with the next renewal of the claim. */
  readonly reportProgress: (progress: Progress) => void;
  /** Called when the grace period is over and the handler has not ended: ends its child process. */
  readonly onKill: (kill: () => void) => void;
}

/** Answers the job's results as commands. */
export type PerformJob = (job: Job, run: JobRun) => Promise<Either<JobFailure, readonly Send[]>>;

export interface QueueSettings {
  readonly queue: string;
  /** In one worker process. */
  readonly concurrency: number;
  /** Of all worker processes together; without limit when left out. */
  readonly overall?: number;
  readonly perTenant?: number;
  /** A worker that does not renew its claim for this long has lost its job; 12 seconds when left out, at most 13. */
  readonly claimMilliseconds?: number;
  /** From the signal to the kill; 5 seconds when left out. */
  readonly graceMilliseconds?: number;
  /** Its jobs take processor time for minutes: a worker with this queue runs at a lower operating-system priority. */
  readonly isHeavy?: boolean;
  /** Its jobs run programs in sandboxes: a worker that cannot make any leaves them to others. */
  readonly runsPrograms?: boolean;
  /** Deciders of the commands that its jobs result in. */
  readonly targets: CommandTargets;
}

export interface JobHandler extends QueueSettings {
  readonly perform: PerformJob;
}

/** Adapters that a worker process opens once, for all its queues. */
export interface WorkerPlatform {
  readonly store: EventStore;
  readonly blobs: BlobStore;
  /** For queues that declare `runsPrograms`. */
  readonly sandboxes: Sandboxes;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Aborts when the process drains. */
  readonly signal: AbortSignal;
}

export interface OpenedQueue {
  readonly perform: PerformJob;
  /** Called once no job runs any more. */
  readonly close?: () => Promise<void>;
}

/** A queue as a context declares it: `commands/<context>/processes.ts` lists them. */
export interface QueueSpec extends QueueSettings {
  readonly open: (platform: WorkerPlatform) => OpenedQueue;
}
