/** Pauses between attempts, which end early when the process drains. */
import { setTimeout as sleep } from 'node:timers/promises';

export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
};

/** Attempts count from 0. Between half and all of a pause that doubles, so that many that failed together do not return together. */
export const backoffMilliseconds = (attempt: number, first = 50, longest = 5_000): number =>
  Math.min(first * 2 ** Math.min(attempt, 30), longest) * (0.5 + Math.random() / 2);

export const backoff = (attempt: number, signal: AbortSignal): Promise<void> =>
  pause(backoffMilliseconds(attempt), signal);

export interface Resuming {
  readonly signal: AbortSignal;
  /** Called with what the task threw. */
  readonly failed: (error: unknown) => void;
  /** Called whenever the task reports progress. */
  readonly progressed?: () => void;
  /** Called after the signal. */
  readonly ended?: () => void;
}

/** Runs a task that ends or throws again and again until the signal; the pauses grow until the task reports progress. */
export const resumeUntilAborted = async (
  task: (progress: () => void) => Promise<void>,
  { signal, failed, progressed, ended }: Resuming,
): Promise<void> => {
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    try {
      await task(() => {
        attempt = 0;
        progressed?.();
      });
    } catch (error) {
      failed(error);
    }
    await pause(backoffMilliseconds(attempt, 100), signal);
  }
  ended?.();
};
