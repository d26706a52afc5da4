/** Pauses before a runner connects again: they double up to 5 s, and are spread, so that runners that lost a server do not return together. */
import { setTimeout as sleep } from 'node:timers/promises';

const firstMilliseconds = 50;
const longestMilliseconds = 5_000;

/** Ends early, without an error, when the signal aborts. */
export const reconnectDelay = async (failures: number, signal: AbortSignal): Promise<void> => {
  const longest = Math.min(firstMilliseconds * 2 ** Math.min(failures, 30), longestMilliseconds);
  await sleep(longest * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => undefined);
};
