/** Since when a run and its jobs are in their states, as the log recorded it: what timeouts and concurrency groups go by. */
import { isLeft } from 'fp-ts/Either';
import type { JobId } from '../../../domain/workflow/ids';
import { type RunEvent, runs } from '../../../domain/workflow/run/events';
import type { RunState } from '../../../domain/workflow/run/state';
import type { StoredEvent } from '../../../infra/ports/event-store';

/** Milliseconds since 1970. */
export interface JobTimes {
  readonly queued?: number;
  readonly assigned?: number;
  readonly canceling?: number;
}

export interface RunTimes {
  /** Of the last event that was noted; -1 before the first. */
  revision: number;
  /** When the run's present attempt began. */
  begun: number;
  readonly jobs: Map<JobId, JobTimes>;
}

export const emptyTimes = (): RunTimes => ({ revision: -1, begun: 0, jobs: new Map() });

/** `state`: with the event. */
export const noteEvent = (times: RunTimes, state: RunState, { event, at }: { event: RunEvent; at: number }): void => {
  const { jobs } = times;
  const note = (jobIds: Iterable<JobId>, name: keyof JobTimes): void => {
    for (const jobId of jobIds) jobs.set(jobId, { ...jobs.get(jobId), [name]: at });
  };
  const everyJob = state.kind === 'none' ? [] : state.jobs.keys();
  times.revision += 1;
  if (event.type === 'RunRequested' || event.type === 'RunRetried') {
    times.begun = at;
    jobs.clear();
  }
  if (event.type === 'JobsQueued') note(event.data.jobIds, 'queued');
  if (event.type === 'JobRequeued') note([event.data.jobId], 'queued');
  if (event.type === 'JobAssigned') note([event.data.jobId], 'assigned');
  if (event.type === 'JobsCancelRequested') note(event.data.jobIds, 'canceling');
  if (event.type === 'RunTimedOut') note(everyJob, 'canceling');
  // A forced cancel does not begin the grace again.
  if (event.type === 'RunCancelRequested' && !event.data.isForced) note(everyJob, 'canceling');
};

const recordedAt = ({ metadata }: StoredEvent): number => Date.parse((metadata as { readonly at: string }).at);

/** Notes the events that follow those noted before, and leaves the others out. */
export const noteStored = (times: RunTimes, state: RunState, stored: readonly StoredEvent[]): void => {
  for (const one of stored) {
    if (one.revision !== times.revision + 1) continue;
    const event = runs.decode(one.type, one.data);
    if (isLeft(event)) throw new Error(`${one.stream} cannot be decoded at revision ${one.revision} (${one.type})`);
    noteEvent(times, state, { event: event.right, at: recordedAt(one) });
  }
};
