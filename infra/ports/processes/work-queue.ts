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
  /** Of the span that enqueued it. */
  readonly traceparent?: string;
}

export interface NewJob {
  readonly queue: string;
  /** A job of the same queue and key is the same job, for as long as it is remembered. */
  readonly key: string;
  readonly tenant: string;
  /** JSON. */
  readonly payload: unknown;
  readonly cause: Causation;
  /** 0 when left out; the higher is claimed first. */
  readonly priority?: number;
  readonly delaySeconds?: number;
  /** 8 when left out. */
  readonly mostAttempts?: number;
}

export interface Job extends Required<Omit<NewJob, 'delaySeconds'>> {
  readonly id: string;
  /** 1 at first. */
  readonly attempt: number;
  /** Of this claim, and greater than of any before: what is done under an older one does not count. */
  readonly token: number;
}

export interface Claim {
  readonly queue: string;
  readonly limit: number;
  /** Of all workers together; at once. */
  readonly concurrency: number;
  /** Of one tenant's jobs among them. */
  readonly perTenant: number;
  /** A claim that is not extended for this long expires. */
  readonly milliseconds: number;
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

export interface QueueCounts {
  readonly waiting: number;
  readonly running: number;
  readonly dead: number;
  /** Of the oldest job that could be claimed now; 0 when there is none. */
  readonly oldestSeconds: number;
}

/** `false` in an answer: the claim is another's by now, nothing was changed. */
type ClaimUpdate = Promise<Either<WorkFault, boolean>>;

export interface WorkQueue {
  /** `known`: there was such a job already, waiting, running, done or dead. */
  readonly enqueue: (job: NewJob) => Promise<Either<WorkFault, 'queued' | 'known'>>;
  /** Tenants in turn; of one tenant the highest priority and then the oldest first. */
  readonly claim: (claim: Claim) => Promise<Either<WorkFault, readonly Job[]>>;
  readonly extendClaim: (job: Job, milliseconds: number) => ClaimUpdate;
  readonly complete: (job: Job) => ClaimUpdate;
  /** Dead once the attempts are used up. */
  readonly fail: (job: Job, failure: Failure) => ClaimUpdate;
  /** As if it had not been claimed. */
  readonly releaseClaim: (job: Job) => ClaimUpdate;
  readonly counts: (queue: string) => Promise<Either<WorkFault, QueueCounts>>;
  /** The newest first; `before` is the id that the page before ended with. A tenant sees its own. */
  readonly deadLetters: (query: {
    readonly tenant?: string;
    readonly before?: string;
    readonly limit: number;
  }) => Promise<Either<WorkFault, readonly DeadLetter[]>>;
  /** With all its attempts again; false when there is no such dead letter. */
  readonly replay: (id: string, tenant?: string) => Promise<Either<WorkFault, boolean>>;
  readonly drop: (id: string, tenant?: string) => Promise<Either<WorkFault, boolean>>;
  /** Forgets jobs that ended so many seconds ago; dead letters stay. */
  readonly purge: (olderThanSeconds: number) => Promise<Either<WorkFault, number>>;
}
