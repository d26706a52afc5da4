/** A run as the coordinator follows it: what it read of it last, and what it did for it. */
import type { TenantId } from '../../../domain/kernel/ids';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { initialRun, type RunState } from '../../../domain/workflow/run/state';
import type { Outage } from '../../../infra/server/runtime/outage';
import type { JobTimes } from './run-times';

export interface TrackedRun {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly stream: string;
  state: RunState;
  /** -1 before it is read. */
  revision: number;
  /** When the run's present attempt began. */
  begun: number;
  times: ReadonlyMap<JobId, JobTimes>;
  /** The attempt of each job that was made claimable, and of each whose row was removed, by this coordinator. */
  readonly enqueued: Map<JobId, number>;
  readonly removed: Map<JobId, number>;
  /** Jobs that fail once they are queued, with the reason: their conditions cannot be evaluated. */
  readonly failing: Map<JobId, string>;
  /** The run's attempt in which each job left its concurrency group. */
  readonly left: Map<JobId, number>;
  /** When a place in a concurrency group was last waited for, in milliseconds of the process. */
  groupWaitedAt: number | undefined;
  parserFaults: number;
  /** Something failed that is tried again at the next tick. */
  isUnfinished: boolean;
  /** Logs that the run is held up. */
  holdUp?: Outage;
  /** One at a time works on the run. */
  turn: Promise<unknown>;
  /** How many work on it or wait for that. */
  turns: number;
}

export const trackedRun = (tenantId: TenantId, runId: RunId, stream: string): TrackedRun => ({
  tenantId,
  runId,
  stream,
  state: initialRun,
  revision: -1,
  begun: 0,
  times: new Map(),
  enqueued: new Map(),
  removed: new Map(),
  failing: new Map(),
  left: new Map(),
  groupWaitedAt: undefined,
  parserFaults: 0,
  isUnfinished: false,
  turn: Promise.resolve(),
  turns: 0,
});
