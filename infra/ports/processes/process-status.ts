/** What is known of processes, timers and queues as a whole, for those who operate them. */
import type { Either } from 'fp-ts/Either';
import type { ViewFault } from '../views/view-store';

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
  /** When that copy said so last. */
  readonly seen: string;
  /** False once the lease ended: nobody runs it right now. */
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
  /** Whose time has not come. */
  readonly delayed: number;
  readonly running: number;
  readonly dead: number;
  /** When the oldest of those that wait fell due. */
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
  readonly timers: (tenant: string, asked: TimerQuery) => Promise<Either<ViewFault, readonly TimerRecord[]>>;
  readonly queues: (tenant: string) => Promise<Either<ViewFault, readonly QueueRecord[]>>;
  readonly close: () => Promise<void>;
}
