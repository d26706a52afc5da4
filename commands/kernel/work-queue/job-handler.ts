/** A work queue as a context declares it, and what performs its jobs in a worker. */
import { type Either, isLeft, left } from 'fp-ts/Either';
import { decodeStored, type InputFault } from '../../../domain/kernel/codec';
import type { JobQueue } from '../../../domain/kernel/job-queue';
import type { Send } from '../../../domain/kernel/process';
import type { BlobStore } from '../../../infra/ports/blob-store';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Embedder } from '../../../infra/ports/files/embedder';
import type { LocalCopies } from '../../../infra/ports/files/local-copies';
import type { Transcriber } from '../../../infra/ports/files/transcriber';
import type { GatewayPositions } from '../../../infra/ports/identity/gateway-positions';
import type { RemoteForm } from '../../../infra/ports/identity/remote-form';
import type { Kms } from '../../../infra/ports/kms';
import type { Job, Progress } from '../../../infra/ports/processes/work-queue';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import type { Random } from '../../../infra/ports/runtime/random';
import type { Vault } from '../../../infra/ports/vault';
import type { IndexedRows } from '../../../infra/ports/views/indexed-rows';
import type { PostWebhook } from '../../../infra/ports/webhooks/post-webhook';
import type { AggregateCache } from '../../../infra/server/aggregates/aggregate-cache';
import type { PurgeEdges } from '../../../infra/server/video/purge-edges';
import type { Sandboxes } from '../../../packages/sandbox/src/ports';
import type { CommandMetrics } from '../command-metrics';
import type { CommandTargets } from '../processes/process-binding';

export interface JobFailure {
  /** `transient`: a retry may succeed. `permanent`: it would fail as well, so the job is a dead letter at once. */
  readonly kind: 'transient' | 'permanent';
  readonly reason: string;
}

/** A retry may succeed. */
export const again = (reason: string): Either<JobFailure, never> => left({ kind: 'transient', reason });

/** One attempt at a job, as its handler sees it. */
export interface JobRun {
  /**
   * Aborts when the job is cancelled, its deadline has passed, the claim is lost, or the process cannot wait any longer. The handler then has
   * the grace period of its queue; what it answers does not count any more.
   */
  readonly signal: AbortSignal;
  /** Shown to the job's tenant with the next renewal of the claim. */
  readonly reportProgress: (progress: Progress) => void;
  /**
   * What is done so far is recorded, and the next attempt goes on after it: attempts count from here again. A job that comes forward is tried
   * as often as that takes.
   */
  readonly checkpoint: () => Promise<void>;
  /** No attempt follows a failure of this one. */
  readonly isLastAttempt: () => boolean;
  /** Called when the grace period is over and the handler has not ended: ends its child process. */
  readonly onKill: (kill: () => void) => void;
}

/** A claimed job with its decoded payload. */
export interface DecodedJob<Payload> extends Job {
  readonly payload: Payload;
}

/** Answers the job's results as commands. */
export type PerformJob<Payload> = (
  job: DecodedJob<Payload>,
  run: JobRun,
) => Promise<Either<JobFailure, readonly Send[]>>;

export interface QueueSettings {
  /** In one worker process. */
  readonly concurrency: number;
  /** Of all worker processes together; without limit when left out. */
  readonly overall?: number;
  readonly perTenant?: number;
  /**
   * A worker that has ended, and so does not renew its claim for this long, has lost its job; 12 seconds when left out, at most 13. One that is
   * alive and late has 48 seconds more.
   */
  readonly claimMilliseconds?: number;
  /** From the signal to the kill; 5 seconds when left out. */
  readonly graceMilliseconds?: number;
  /** Its jobs take processor time for minutes: a worker with this queue runs at a lower operating-system priority. */
  readonly isHeavy?: boolean;
  /** Its jobs run programs in sandboxes: a worker that cannot make any leaves them to others. */
  readonly runsPrograms?: boolean;
  /** Its jobs call others in the name of the issuer: a worker that has no ISSUER, or not its keys, leaves them to others. */
  readonly callsAsIssuer?: boolean;
  /** Deciders of the commands that its jobs result in. */
  readonly targets: CommandTargets;
}

export interface JobHandler extends QueueSettings {
  readonly queue: string;
  readonly perform: PerformJob<unknown>;
}

/** What calls in the name of the issuer need. */
export interface IssuerAccess {
  readonly issuer: string;
  readonly kms: Kms;
  readonly postForm: RemoteForm;
  readonly postWebhook: PostWebhook;
}

/** Adapters that a worker process opens once, for all its queues. */
export interface WorkerAdapters {
  readonly store: EventStore;
  /** Folded streams that many jobs read; cleared when keys are erased. */
  readonly cache: AggregateCache;
  readonly blobs: BlobStore;
  /** For queues that declare `runsPrograms`. */
  readonly sandboxes: Sandboxes;
  /** Of the same: what their programs read. */
  readonly copies: LocalCopies;
  /** For queues that declare `callsAsIssuer`; undefined for others. */
  readonly asIssuer: IssuerAccess | undefined;
  /** Undefined until it is open; the first call begins to open it. */
  readonly embedder: () => Embedder | undefined;
  /** Undefined without Redis. */
  readonly gateways?: GatewayPositions | undefined;
  /** To prove that a view has nothing any more. */
  readonly indexedRows: IndexedRows;
  /** Undefined: this system is set up without one. Answers undefined until it is open; the first call begins to open it. */
  readonly transcriber: (() => Transcriber | undefined) | undefined;
  /** Of every edge; the key is that of a video or of one of its generations. */
  readonly purgeEdges: PurgeEdges;
  readonly random: Random;
  readonly vault: Vault;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly commandMetrics: CommandMetrics;
  /** Aborts when the process drains. */
  readonly signal: AbortSignal;
}

export interface OpenedQueue<Payload> {
  readonly perform: PerformJob<Payload>;
  /** Called once no job runs any more. */
  readonly close?: () => Promise<void>;
}

/** A queue as `commands/<context>/processes.ts` lists it; made by `queueSpec`. */
export interface QueueSpec extends QueueSettings {
  readonly queue: string;
  readonly open: (adapters: WorkerAdapters) => OpenedQueue<unknown>;
}

const payloadFault = (faults: readonly InputFault[]): JobFailure => {
  const places = faults.slice(0, 3).map(({ pointer, expected }) => `${expected} at ${pointer || 'its beginning'}`);
  return { kind: 'permanent', reason: `The payload does not decode: expected ${places.join(', ')}.` };
};

/** A payload that does not decode is never performed: no retry could change it. */
export const performDecoded =
  <Payload>({ payload: codec }: JobQueue<Payload>, perform: PerformJob<Payload>): PerformJob<unknown> =>
  async (job, run) => {
    const payload = decodeStored(codec, job.payload);
    return isLeft(payload) ? left(payloadFault(payload.left)) : perform({ ...job, payload: payload.right }, run);
  };

/** Declares the worker's side of a queue: its handler gets payloads of the type that `enqueueJob` takes for the same queue. */
export const queueSpec = <Payload>(
  queue: JobQueue<Payload>,
  { open, ...settings }: QueueSettings & { readonly open: (adapters: WorkerAdapters) => OpenedQueue<Payload> },
): QueueSpec => ({
  ...settings,
  queue: queue.name,
  open: (adapters) => {
    const opened = open(adapters);
    return { ...opened, perform: performDecoded(queue, opened.perform) };
  },
});
