/** Statuses of runs and jobs as viewers of logs see them. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { JobId } from '../../../domain/workflow/ids';
import { runStream } from '../../../domain/workflow/run/events';
import type { RunStatus } from '../../../domain/workflow/run/status';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import type { ActiveRun } from '../../../infra/ports/workflow/active-runs';
import type { LoadedRun, RunRegistry } from '../runs/run-registry';

export interface Statuses {
  readonly run: RunStatus;
  readonly job: RunStatus;
  /** The newest. */
  readonly attempt: number;
  /** That attempt has ended. */
  readonly isEnded: boolean;
}

export const isAttemptOver = (statuses: Statuses, attempt: number): boolean =>
  statuses.attempt > attempt || (statuses.attempt === attempt && statuses.isEnded);

export interface RunStatuses {
  /** Undefined: the run or the job is not there. */
  readonly of: (log: JobOfRun) => Promise<Either<EventStoreFault, Statuses | undefined>>;
  /** The run has a new event. */
  readonly changed: (stream: string) => void;
  readonly watch: (of: ActiveRun, notify: () => void) => () => void;
}

interface JobOfRun extends ActiveRun {
  readonly jobId: JobId;
}

export const statusesIn = ({ state }: LoadedRun, jobId: JobId): Statuses | undefined => {
  const job = state.kind === 'run' ? state.jobs.get(jobId) : undefined;
  if (state.kind === 'none' || job === undefined) return undefined;
  return { run: state.viewStatus, job: job.viewStatus, attempt: job.attempt, isEnded: job.status === 'ended' };
};

export const openRunStatuses = (runs: Pick<RunRegistry, 'cached'>): RunStatuses => {
  const watchers = new Map<string, Set<() => void>>();
  return {
    of: async ({ tenantId, runId, jobId }) => {
      const run = await runs.cached({ tenantId, runId });
      return isLeft(run) ? run : right(statusesIn(run.right, jobId));
    },
    changed: (stream) => {
      for (const notify of [...(watchers.get(stream) ?? [])]) notify();
    },
    watch: ({ tenantId, runId }, notify) => {
      const stream = runStream(tenantId, runId);
      const own = (): void => notify();
      const others = watchers.get(stream);
      if (others === undefined) watchers.set(stream, new Set([own]));
      else others.add(own);
      return () => {
        const left = watchers.get(stream);
        left?.delete(own);
        if (left?.size === 0) watchers.delete(stream);
      };
    },
  };
};
