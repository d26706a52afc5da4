/** What is known of processes, timers and queues as a whole, for those who operate them. */
import type { Either } from 'fp-ts/Either';
import type { ViewFault } from './view-store';

export interface ProcessState {
  readonly process: string;
  readonly phase: string;
  /** Decimal; null before the first event. */
  readonly position: string | null;
  readonly lagSeconds: number;
  readonly lagEvents: number | null;
  readonly detail?: string;
}

export interface KnownProcess extends ProcessState {
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

export interface KnownTimer {
  readonly id: string;
  readonly process: string;
  readonly instance: string;
  readonly key: string;
  readonly at: string;
  readonly overdue: boolean;
}

export interface KnownQueue {
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

export interface ProcessLedger {
  /** Of the processes that this copy runs. */
  readonly save: (owner: string, states: readonly ProcessState[]) => Promise<Either<ViewFault, void>>;
}

export interface TimersAsked {
  readonly process?: string;
  /** The time and id of the one before. */
  readonly after?: readonly [string, string];
  readonly limit: number;
}

/** `tenant`: one tenant's, or `*` for all. */
export interface ProcessLedgerReader {
  readonly processes: (tenant: string) => Promise<Either<ViewFault, readonly KnownProcess[]>>;
  readonly timers: (tenant: string, asked: TimersAsked) => Promise<Either<ViewFault, readonly KnownTimer[]>>;
  readonly queues: (tenant: string) => Promise<Either<ViewFault, readonly KnownQueue[]>>;
  readonly close: () => Promise<void>;
}
