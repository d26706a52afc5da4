/** Slow jobs: claimed by one worker at a time, tried again when it fails or dies, put aside when they never succeed. */
import type { Either } from 'fp-ts/Either';
import type { Fault } from '../../../domain/kernel/rejection';

export type WorkFault = Fault<'work-queue-unavailable'>;

/** The cause that the results of a job are recorded with. */
export interface Causation {
  readonly correlationId: string;
  readonly causationId: string;
  /** Of the commands it leads to. */
  readonly depth: number;
  /** How many jobs led here, this one included; left out of jobs that older versions queued. */
  readonly jobDepth?: number;
  /** Of the span that enqueued it. */
  readonly traceparent?: string;
}

export interface NewJob {
  readonly queue: string;
  /** What is to be done, among the jobs of its queue; the queue's name when left out. */
  readonly kind?: string;
  /** A job of the same queue and key is the same job, for as long as it is remembered. */
  readonly key: string;
  readonly tenant: string;
  /** JSON. */
  readonly payload: unknown;
  readonly cause: Causation;
  /** 0 when left out; the higher is claimed first. */
  readonly priority?: number;
  readonly delaySeconds?: number;
  /** RFC 3339: not claimed earlier, nor before the delay is over. */
  readonly notBefore?: string;
  /** RFC 3339: a job that is not done by then is dead. */
  readonly deadline?: string;
  /** 8 when left out. */
  readonly mostAttempts?: number;
}

export interface Job extends Omit<Required<NewJob>, 'delaySeconds' | 'notBefore' | 'deadline'> {
  readonly id: string;
  /** 1 at first. */
  readonly attempt: number;
  /** Of this claim, and greater than of any before: what is done under an older one does not count. */
  readonly token: number;
  readonly deadline: string | null;
  /** Until the deadline, by the store's clock when the job was claimed. */
  readonly deadlineMilliseconds: number | null;
}

export interface Claim {
  readonly queue: string;
  /** Who claims, as operators see it: `<host>:<process id>`. */
  readonly worker: string;
  readonly limit: number;
  /** Of all workers together; at once. */
  readonly concurrency: number;
  /** Of one tenant's jobs among them. */
  readonly perTenant: number;
  /** A claim that is not extended for this long expires; later, while its worker is known to be alive (`listen`). */
  readonly milliseconds: number;
}

export interface Progress {
  /** From 0 to 1. */
  readonly fraction: number;
  /** A sentence for the users that wait for the job. */
  readonly detail: string;
}

export interface ClaimExtension {
  readonly milliseconds: number;
  /** Undefined: as it was. */
  readonly progress?: Progress | undefined;
}

export interface Failure {
  readonly reason: string;
  /** Undefined: never again. */
  readonly againInMilliseconds: number | undefined;
}

export interface FailedAttempt {
  readonly attempt: number;
  readonly at: string;
  readonly reason: string;
}

export interface DeadLetter {
  readonly id: string;
  readonly queue: string;
  readonly key: string;
  readonly tenant: string;
  readonly attempts: number;
  readonly reason: string;
  readonly diedAt: string;
  /** Of the conversation that it is part of. */
  readonly correlationId: string;
  /** The oldest first, also those before it was replayed; twenty at most. */
  readonly failures: readonly FailedAttempt[];
}

/**
 * `delayed`: its time has not come, or it failed and pauses. `waiting`: for a worker with capacity. `lost`: its worker did not extend the
 * claim in time, so another one will get it, unless its worker is only late.
 */
export type JobState = 'delayed' | 'waiting' | 'running' | 'lost' | 'done' | 'dead' | 'cancelled' | 'dropped';

/** A job as its tenant sees it, without the payload. */
export interface JobRecord {
  readonly id: string;
  readonly queue: string;
  readonly kind: string;
  readonly key: string;
  readonly tenant: string;
  readonly correlationId: string;
  readonly state: JobState;
  readonly priority: number;
  readonly attempts: number;
  readonly mostAttempts: number;
  /** 1 for the job that is claimed next; null where it is not waiting, or more than 10,000 jobs wait in its queue. */
  readonly position: number | null;
  readonly progress: Progress | null;
  /** Of the claim that holds or held it last. */
  readonly worker: string | null;
  readonly claimedAt: string | null;
  /** When its worker last extended the claim. */
  readonly seenAt: string | null;
  readonly enqueuedAt: string;
  readonly notBefore: string;
  readonly deadline: string | null;
  readonly endedAt: string | null;
  /** It is running, and its worker is to end it. */
  readonly isCancelRequested: boolean;
  /** Why the last attempt failed. */
  readonly reason: string | null;
  readonly failures: readonly FailedAttempt[];
}

export interface JobQuery {
  /** Left out: of all. */
  readonly tenant?: string;
  readonly queue?: string;
  readonly kind?: string;
  readonly state?: JobState;
  /** The id that the page before ended with. */
  readonly before?: string;
  readonly limit: number;
}

export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** Of the oldest job that could be claimed now; 0 when there is none. */
  readonly oldestSeconds: number;
}

export interface JobListening {
  readonly queues: readonly string[];
  /** As in its claims: while it listens, the store knows that the worker is alive. */
  readonly worker: string;
  /** A job of that queue may be claimed. */
  readonly notify: (queue: string) => void;
  readonly signal: AbortSignal;
}

/** `false` in an answer: the claim is another's by now, nothing was changed. */
type ClaimUpdate = Promise<Either<WorkFault, boolean>>;

/** `lost`: the claim is another's by now, or has ended, and nothing was changed. */
export type ClaimState = 'valid' | 'cancel-requested' | 'lost';

/** `requested`: it is running, and ends once its worker has received the request. `ended`: it had ended before. */
export type CancelResult = 'cancelled' | 'requested' | 'ended' | 'unknown';

/** Jobs as operators see them: read on the query side, and by what changes them. */
export interface JobReader {
  /** The newest first. */
  readonly listJobs: (query: JobQuery) => Promise<Either<WorkFault, readonly JobRecord[]>>;
  /** Undefined where there is none, or not of this tenant. */
  readonly findJob: (id: string, tenant?: string) => Promise<Either<WorkFault, JobRecord | undefined>>;
  /** The newest first; `before` is the id that the page before ended with. A tenant sees its own. */
  readonly deadLetters: (query: {
    readonly tenant?: string;
    readonly before?: string;
    readonly limit: number;
  }) => Promise<Either<WorkFault, readonly DeadLetter[]>>;
}

/** Single jobs as queries of what they are for see them. */
export interface JobLookup {
  /** The tenant's job of this key in one of the queues; undefined where there is none any more. */
  readonly findByKey: (request: {
    readonly queues: readonly string[];
    readonly key: string;
    readonly tenant: string;
  }) => Promise<Either<WorkFault, JobRecord | undefined>>;
  /** Whether a worker that takes jobs of the queue is alive and connected. */
  readonly isServed: (queue: string) => Promise<Either<WorkFault, boolean>>;
}

export interface WorkQueue extends JobReader {
  /** `known`: there was such a job already, waiting, running or ended. */
  readonly enqueue: (job: NewJob) => Promise<Either<WorkFault, 'queued' | 'known'>>;
  /** Tenants in turn; of one tenant the highest priority and then the oldest first. Lost jobs wait for a sweep. */
  readonly claim: (claim: Claim) => Promise<Either<WorkFault, readonly Job[]>>;
  readonly extendClaim: (job: Job, extension: ClaimExtension) => Promise<Either<WorkFault, ClaimState>>;
  /** Changes nothing; cheaper than an extension. */
  readonly checkClaim: (job: Job) => Promise<Either<WorkFault, ClaimState>>;
  readonly complete: (job: Job) => ClaimUpdate;
  /** Dead once the attempts are used up. */
  readonly fail: (job: Job, failure: Failure) => ClaimUpdate;
  /** Attempts count from here again, this one as the first: what it has done stays done. */
  readonly resetAttempts: (job: Job) => ClaimUpdate;
  /** As if it had not been claimed. */
  readonly releaseClaim: (job: Job) => ClaimUpdate;
  /** Ends a job whose cancellation was requested; its results are not reported. */
  readonly confirmCancel: (job: Job) => ClaimUpdate;
  /**
   * Ends what is due to end without a worker: claims that expired and deadlines that passed. A claim of a worker that is alive, and only late,
   * has another 48 seconds. Answers how many.
   */
  readonly sweep: (queue: string) => Promise<Either<WorkFault, number>>;
  /** Notifies when a job of one of the queues begins to wait, until the signal aborts. Best effort: callers poll as well. */
  readonly listen: (listening: JobListening) => Promise<void>;
  readonly counts: (queue: string) => Promise<Either<WorkFault, QueueCounts>>;
  readonly cancelJob: (id: string, tenant?: string) => Promise<Either<WorkFault, CancelResult>>;
  /** Gives a dead or cancelled job all its attempts again, without its deadline; false when there is no such job. */
  readonly retryJob: (id: string, tenant?: string) => Promise<Either<WorkFault, boolean>>;
  /** With all its attempts again; false when there is no such dead letter. */
  readonly replay: (id: string, tenant?: string) => Promise<Either<WorkFault, boolean>>;
  readonly drop: (id: string, tenant?: string) => Promise<Either<WorkFault, boolean>>;
  /** Forgets jobs that ended so many seconds ago; dead letters stay. */
  readonly purge: (olderThanSeconds: number) => Promise<Either<WorkFault, number>>;
}
