/** Waits that end early when the process drains. */
import { setTimeout as sleep } from 'node:timers/promises';

export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
};

/** Between half and all of what doubles with each attempt, so that many who failed together do not come back together. */
export const backoffMilliseconds = (attempt: number, first = 50, longest = 5_000): number =>
  Math.min(first * 2 ** Math.min(attempt, 30), longest) * (0.5 + Math.random() / 2);
