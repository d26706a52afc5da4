/** What a process runs with. */
import type { Leases } from '../../../infra/ports/leases';
import type { Log } from '../../../infra/ports/log';
import type { Metrics } from '../../../infra/ports/metrics';
import type { ProcessCheckpoints } from '../../../infra/ports/process-checkpoints';
import type { Timers } from '../../../infra/ports/timers';
import type { WorkQueue } from '../../../infra/ports/work-queue';
import type { HandleDeps } from '../request';
import type { BoundProcess } from './bound';
import type { Tracker } from './status';

export interface RunDeps extends HandleDeps {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly leases: Leases;
  readonly checkpoints: ProcessCheckpoints;
  readonly timers: Timers;
  readonly work: WorkQueue;
  readonly leaseMilliseconds?: number;
}

export interface Running {
  readonly deps: RunDeps;
  readonly process: BoundProcess;
  readonly tracker: Tracker;
  readonly signal: AbortSignal;
}
