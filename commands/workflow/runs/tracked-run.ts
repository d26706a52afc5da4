/** A run as the coordinator follows it: its state, and since when its jobs are in theirs. */
import { isLeft } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { run as runDecider } from '../../../domain/workflow/run/decider';
import type { RunEvent } from '../../../domain/workflow/run/events';
import { initialRun, type RunState } from '../../../domain/workflow/run/state';
import type { StoredEvent } from '../../../infra/ports/event-store';
import type { Outage } from '../../../infra/runtime/outage';

/** Milliseconds since 1970, as the log recorded them. */
export interface JobTimes {
  readonly queued?: number;
  readonly assigned?: number;
  readonly canceling?: number;
}

export interface TrackedRun {
  readonly tenantId: TenantId;
  readonly runId: RunId;
  readonly stream: string;
  state: RunState;
  /** -1 before the first event is read. */
  revision: number;
  /** When the run's present attempt began. */
  begun: number;
  readonly times: Map<JobId, JobTimes>;
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
  ...{ tenantId, runId, stream, state: initialRun, revision: -1, begun: 0 },
  ...{ times: new Map(), enqueued: new Map(), removed: new Map(), failing: new Map() },
  ...{
    left: new Map(),
    groupWaitedAt: undefined,
    parserFaults: 0,
    isUnfinished: false,
    turn: Promise.resolve(),
    turns: 0,
  },
});

const recordedAt = ({ metadata }: StoredEvent): number => Date.parse((metadata as { readonly at: string }).at);

/** Remembers when the event moved jobs. */
const noteTimes = (tracked: TrackedRun, event: RunEvent, at: number): void => {
  const { times, state } = tracked;
  const note = (jobIds: Iterable<JobId>, name: keyof JobTimes): void => {
    for (const jobId of jobIds) times.set(jobId, { ...times.get(jobId), [name]: at });
  };
  const everyJob = state.kind === 'none' ? [] : state.jobs.keys();
  if (event.type === 'RunRequested' || event.type === 'RunRetried') {
    tracked.begun = at;
    times.clear();
  }
  if (event.type === 'JobsQueued') note(event.data.jobIds, 'queued');
  if (event.type === 'JobRequeued') note([event.data.jobId], 'queued');
  if (event.type === 'JobAssigned') note([event.data.jobId], 'assigned');
  if (event.type === 'JobsCancelRequested') note(event.data.jobIds, 'canceling');
  if (event.type === 'RunTimedOut') note(everyJob, 'canceling');
  // A forced cancel does not begin the grace again.
  if (event.type === 'RunCancelRequested' && !event.data.isForced) note(everyJob, 'canceling');
};

/** Events that were read before are left out. Throws on an event that cannot be decoded, which is a defect. */
export const applyToRun = (tracked: TrackedRun, stored: readonly StoredEvent[]): void => {
  for (const one of stored) {
    if (one.revision <= tracked.revision) continue;
    const event = runDecider.family.decode(one.type, one.data);
    if (isLeft(event)) throw new Error(`${one.stream} cannot be decoded at revision ${one.revision} (${one.type})`);
    tracked.state = runDecider.evolve(tracked.state, event.right);
    noteTimes(tracked, event.right, recordedAt(one));
    tracked.revision = one.revision;
  }
};
