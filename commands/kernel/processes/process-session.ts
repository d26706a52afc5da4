/** Dependencies of a running process, and the state of one session: the time for which this instance holds the lease. */

import type { Skipped } from '../../../domain/platform/skips/decider';
import type { ProcessCheckpoints } from '../../../infra/ports/processes/checkpoints';
import type { Leases } from '../../../infra/ports/processes/leases';
import type { Timers } from '../../../infra/ports/processes/timers';
import type { WorkQueue } from '../../../infra/ports/processes/work-queue';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Metrics } from '../../../infra/ports/runtime/metrics';
import type { HandleDeps } from '../handle-request';
import type { WakeSignal } from '../wake-signal';
import type { KeyedQueue } from './keyed-queue';
import type { RenewedLease } from './lease-renewal';
import type { BoundProcess } from './process-binding';
import type { Tracker } from './process-status';
import type { ReactionContext } from './send-command';

export interface ProcessRunDeps extends HandleDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly leases: Leases;
  readonly checkpoints: ProcessCheckpoints;
  readonly timers: Timers;
  readonly work: WorkQueue;
  readonly leaseMilliseconds?: number;
}

export interface ProcessRun {
  readonly deps: ProcessRunDeps;
  readonly process: BoundProcess;
  readonly tracker: Tracker;
  readonly signal: AbortSignal;
}

/** `lost`: another instance took over. */
export type SessionEnd = 'drained' | 'lost' | 'stopped' | 'interrupted';

/** Start position, and the events that operators skip. */
export interface SessionStart {
  readonly position: bigint | null;
  readonly skipped: Skipped;
}

export interface ProcessSession extends ProcessRun {
  readonly lease: RenewedLease;
  readonly queue: KeyedQueue;
  readonly context: ReactionContext;
  readonly timerSet: WakeSignal;
  /** Notified when a message of the subscription was handled. */
  readonly received: WakeSignal;
  readonly skipped: Skipped;
  /** Aborts at the end of this session. */
  readonly signal: AbortSignal;
  readonly end: (how: SessionEnd) => void;
  readonly progress: { position: bigint | null; caughtUpAt: bigint | null | undefined; saved: bigint | null };
}
