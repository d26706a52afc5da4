/** Whether to ask again, and when: full jitter over a wait that doubles, and never before the server lets. */
import type { ClientError } from './errors';

const baseMilliseconds = 100;
const longestMilliseconds = 10_000;

/** A proxy's words for: not now. */
const passing = new Set([408, 429, 502, 503, 504]);

/** Whether the same may be asked again; `repeatable`: it has no further effect if it was done already. */
export const isPassing = (error: ClientError, repeatable: boolean): boolean => {
  switch (error.kind) {
    case 'network':
    case 'timeout':
      return repeatable;
    case 'unexpected-answer':
      return repeatable && passing.has(error.status);
    case 'problem':
      // Refused before anything was done.
      if (error.status === 429) return true;
      if (error.status === 409) return repeatable && error.retryAfterSeconds !== undefined;
      return repeatable && passing.has(error.status);
    case 'stream-ended':
      return false;
  }
};

/** `tries`: how often it was asked in a row. */
export const pauseAfter = (error: ClientError, tries: number, random: () => number): number => {
  const least = 'retryAfterSeconds' in error ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return least + random() * Math.min(longestMilliseconds, baseMilliseconds * 2 ** Math.min(tries, 16));
};
