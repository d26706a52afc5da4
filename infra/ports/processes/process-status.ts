/** Status of processes, timers and queues, for operators. */
import type { Either } from 'fp-ts/Either';
import type { ViewFault } from '../views/view-store';
import type { JobLookup, JobReader } from './work-queue';

export interface ProcessState {
  readonly process: string;
  readonly phase: string;
  /** Decimal; null before the first event. */
  readonly position: string | null;
  readonly lagSeconds: number;
  readonly lagEvents: number | null;
  readonly detail?: string;
}

export interface ProcessStatusRecord extends ProcessState {
  /** Which copy runs it, as `<host>:<process id>`. */
  readonly owner: string;
  /** Last report of that instance. */
  readonly seen: string;
  /** False after the lease expired: no instance runs the process. */
  readonly leaseHeld: boolean;
  readonly timersWaiting: number;
  readonly timersOverdue: number;
  readonly nextTimerAt: string | null;
}

export interface TimerRecord {
  readonly id: string;
  readonly process: string;
  readonly instance: string;
  readonly key: string;
  readonly at: string;
  readonly overdue: boolean;
}

export interface QueueRecord {
  readonly queue: string;
  /** That could be claimed now. */
  readonly waiting: number;
  /** Jobs that are not due yet. */
  readonly delayed: number;
  readonly running: number;
  readonly dead: number;
  /** When the oldest waiting job became due. */
  readonly oldestWaitingAt: string | null;
  readonly oldestDeadAt: string | null;
}

export interface ProcessStatusStore {
  /** Of the processes that this copy runs. */
  readonly save: (owner: string, states: readonly ProcessState[]) => Promise<Either<ViewFault, void>>;
}

export interface TimerQuery {
  readonly process?: string;
  /** The time and id of the one before. */
  readonly after?: readonly [string, string];
  readonly limit: number;
}

/** `tenant`: one tenant's, or `*` for all. */
export interface ProcessStatusReader {
  readonly processes: (tenant: string) => Promise<Either<ViewFault, readonly ProcessStatusRecord[]>>;
  readonly timers: (tenant: string, query: TimerQuery) => Promise<Either<ViewFault, readonly TimerRecord[]>>;
  readonly queues: (tenant: string) => Promise<Either<ViewFault, readonly QueueRecord[]>>;
  readonly jobs: JobReader;
  readonly lookups: JobLookup;
  readonly close: () => Promise<void>;
}
