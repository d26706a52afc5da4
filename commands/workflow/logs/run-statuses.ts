/** Statuses of runs and jobs as viewers of logs see them, from the run's stream. Readers of one run at one moment share the reading. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { TenantId } from '../../../domain/kernel/ids';
import type { JobId, RunId } from '../../../domain/workflow/ids';
import { run } from '../../../domain/workflow/run/decider';
import { runStream } from '../../../domain/workflow/run/events';
import type { RunStatus } from '../../../domain/workflow/run/status';
import type { EventStoreFault } from '../../../infra/ports/event-store';
import { loadStream, type StreamSource } from '../../kernel/load-stream';

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
  readonly of: (log: {
    readonly tenantId: TenantId;
    readonly runId: RunId;
    readonly jobId: JobId;
  }) => Promise<Either<EventStoreFault, Statuses | undefined>>;
  /** The run has a new event. */
  readonly changed: (stream: string) => void;
  readonly watch: (of: { readonly tenantId: TenantId; readonly runId: RunId }, notify: () => void) => () => void;
}

export const openRunStatuses = (source: StreamSource): RunStatuses => {
  const loadRun = (stream: string) => loadStream(source, run, stream);
  const reading = new Map<string, ReturnType<typeof loadRun>>();
  const watchers = new Map<string, Set<() => void>>();
  const shared = (stream: string) => {
    const known = reading.get(stream);
    if (known !== undefined) return known;
    const loading = loadRun(stream).finally(() => {
      if (reading.get(stream) === loading) reading.delete(stream);
    });
    reading.set(stream, loading);
    return loading;
  };
  return {
    of: async ({ tenantId, runId, jobId }) => {
      const state = await shared(runStream(tenantId, runId));
      if (isLeft(state)) return state;
      const job = state.right.kind === 'run' ? state.right.jobs.get(jobId) : undefined;
      if (state.right.kind === 'none' || job === undefined) return right(undefined);
      return right({
        run: state.right.viewStatus,
        job: job.viewStatus,
        attempt: job.attempt,
        isEnded: job.status === 'ended',
      });
    },
    changed: (stream) => {
      // A reading that is under way may have missed the event.
      reading.delete(stream);
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
