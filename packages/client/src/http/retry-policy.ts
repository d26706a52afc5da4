/** Whether to ask again, and when: full jitter over a wait that doubles, and never before the server lets. */
import type { ClientError } from '../errors';

const baseDelayMilliseconds = 100;
const maxDelayMilliseconds = 10_000;

/** A proxy's words for: not now. */
const retryableStatuses = new Set([408, 429, 502, 503, 504]);

/** Whether the same may be asked again; `repeatable`: it has no further effect if it was done already. */
export const isRetryable = (error: ClientError, repeatable: boolean): boolean => {
  switch (error.kind) {
    case 'network':
    case 'timeout':
      return repeatable;
    case 'unexpected-answer':
      return repeatable && retryableStatuses.has(error.status);
    case 'problem':
      // Refused before anything was done.
      if (error.status === 429) return true;
      if (error.status === 409) return repeatable && error.retryAfterSeconds !== undefined;
      return repeatable && retryableStatuses.has(error.status);
    case 'stream-ended':
      return false;
  }
};

/** `tries`: how often it was asked in a row. */
export const retryDelay = (error: ClientError, tries: number, random: () => number): number => {
  const minDelay = 'retryAfterSeconds' in error ? (error.retryAfterSeconds ?? 0) * 1000 : 0;
  return minDelay + random() * Math.min(maxDelayMilliseconds, baseDelayMilliseconds * 2 ** Math.min(tries, 16));
};

/** `Retry-After` (RFC 9110, section 10.2.3): seconds, or a date. */

const maxSeconds = 86_400;

export const retryAfterSeconds = (headers: Headers): number | undefined => {
  const value = headers.get('retry-after')?.trim();
  if (value === undefined || value === '') return undefined;
  const seconds = /^\d{1,9}$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), maxSeconds);
};
