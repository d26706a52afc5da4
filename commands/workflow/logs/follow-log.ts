/**
 * What one viewer of a log is sent: its chunks from an offset on, in order, then new ones as they are stored, statuses beside them, and the
 * end. Only stored chunks are sent, a page at a time and as fast as the viewer takes them: nothing is queued for a slow viewer, and no
 * chunk is left out or sent twice.
 */
import { isLeft } from 'fp-ts/Either';
import type { Log } from '../../../infra/ports/runtime/log';
import type { LogLocation, LogStore } from '../../../infra/ports/workflow/log-store';
import type { StreamEnd } from '../../../infra/server/http/streaming/stream-end';
import type { LogMessage, LogPages } from '../../../infra/server/workflow/log-pages';
import type { LogEvent } from './log-event';
import { isAttemptOver, type RunStatuses } from './run-statuses';

export interface LogSources {
  readonly logs: LogStore;
  readonly pages: LogPages;
  readonly statuses: RunStatuses;
  readonly log: Log;
}

export interface Viewer {
  readonly location: LogLocation;
  /** The first chunk wanted. */
  readonly from: number;
  /** Aborted when the viewer is gone. */
  readonly signal: AbortSignal;
}

/** A wake-up may be lost: every viewer looks by itself so often. */
const lookMilliseconds = 5_000;
/** The end of the time for late chunks sends no wake-up, so it is polled. */
const endingMilliseconds = 250;

/** Remembers a wake-up that comes while no caller waits. */
const openWakeUp = (signal: AbortSignal) => {
  let isDue = false;
  let resume: (() => void) | undefined;
  const wake = (): void => {
    isDue = true;
    resume?.();
  };
  signal.addEventListener('abort', wake, { once: true });
  const wait = async (milliseconds: number): Promise<void> => {
    if (!isDue && !signal.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        resume = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    isDue = false;
    resume = undefined;
  };
  const close = (): void => signal.removeEventListener('abort', wake);
  return { wake, wait, close };
};

/**
 * Statuses and steps that differ from those sent last. An attempt that was lost, or ended by the service, has no runner that ends its log: its
 * viewers do.
 */
const openDifferences = ({ logs, statuses }: LogSources, location: LogLocation) => {
  const { runId, jobId, attempt } = location;
  const sent = new Map<string, string>();
  let stepsRevision = 0;
  const isNew = (key: string, value: string): boolean => {
    if (sent.get(key) === value) return false;
    sent.set(key, value);
    return true;
  };
  const ofRun = async (): Promise<readonly LogEvent[]> => {
    const found = await statuses.of(location);
    // Statuses are beside the log: while they cannot be read, chunks still are.
    if (isLeft(found) || found.right === undefined) return [];
    if (isAttemptOver(found.right, attempt)) await logs.end(location, null);
    const { run, job, attempt: newest } = found.right;
    const events: LogEvent[] = [];
    // The status of a newer attempt is not this one's.
    if (newest === attempt && isNew('job', job))
      events.push({ type: 'job_status', runId, jobId, attempt, status: job });
    if (isNew('run', run)) events.push({ type: 'run_status', runId, status: run });
    return events;
  };
  const ofSteps = async (revision: number): Promise<readonly LogEvent[]> => {
    if (revision === stepsRevision) return [];
    const steps = await logs.steps(location);
    if (isLeft(steps)) return [];
    stepsRevision = revision;
    return steps.right
      .filter((step) => isNew(`step ${step.number}`, JSON.stringify(step)))
      .map((step) => ({ type: 'step_status', runId, jobId, attempt, step }) as const);
  };
  return { ofRun, ofSteps };
};

/** One object for all viewers of a chunk, so that what is made of it is shared. */
const chunkEvents = new WeakMap<LogMessage, LogEvent>();
const chunkEvent = (message: LogMessage, attempt: number): LogEvent => {
  const known = chunkEvents.get(message);
  if (known !== undefined) return known;
  const event: LogEvent = { type: 'log_chunk', attempt, ...message };
  chunkEvents.set(message, event);
  return event;
};

/** Clients do not come back after it. */
export const finished: StreamEnd = { code: 'log-ended', closeCode: 1000, detail: 'The log has ended.' };

/** Ends after `log_end`, when the viewer is gone, or when a store is away. */
export async function* followLog(sources: LogSources, { location, from, signal }: Viewer) {
  const { runId, jobId, attempt } = location;
  const wakeUp = openWakeUp(signal);
  let isRunChanged = true;
  const watch = sources.logs.watch(location, wakeUp.wake);
  const unwatch = sources.statuses.watch(location, () => {
    isRunChanged = true;
    wakeUp.wake();
  });
  const differences = openDifferences(sources, location);
  const isGone = (): boolean => signal.aborted;
  let next = from;
  try {
    while (!isGone()) {
      const page = await sources.pages.read(location, next);
      if (isLeft(page)) return 'unavailable' as const;
      const { messages, state } = page.right;
      for (const message of messages) {
        yield chunkEvent(message, attempt);
        if (isGone()) return 'aborted' as const;
      }
      next = page.right.next;
      yield* await differences.ofSteps(state.stepsRevision);
      if (isRunChanged || state.isComplete) {
        isRunChanged = false;
        yield* await differences.ofRun();
      }
      if (next < state.next) continue;
      if (state.isComplete) {
        const isWhole = state.end?.chunks === state.next;
        yield { type: 'log_end', runId, jobId, attempt, chunks: state.next, isWhole } satisfies LogEvent;
        return 'complete' as const;
      }
      await wakeUp.wait(state.end === undefined ? lookMilliseconds : endingMilliseconds);
    }
    return 'aborted' as const;
  } finally {
    watch.close();
    unwatch();
    wakeUp.close();
  }
}
