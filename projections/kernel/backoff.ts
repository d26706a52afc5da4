/** Waits that end early when the process drains. */
import { setTimeout as sleep } from 'node:timers/promises';

export const pause = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
};

const longestMilliseconds = 5_000;

/** Grows from 50 ms and is jittered, so that many views do not knock at a store at the same moment. */
export const backoff = (attempt: number, signal: AbortSignal): Promise<void> =>
  pause(Math.min(50 * 2 ** attempt, longestMilliseconds) * (0.5 + Math.random() / 2), signal);
