/** Whether to retry, and when: exponential backoff with full jitter, never before `Retry-After`. */
import type { ClientError } from '../errors';

const baseDelayMilliseconds = 100;
const maxDelayMilliseconds = 10_000;

/** Statuses of servers and proxies for a temporary failure. */
const retryableStatuses = new Set([408, 429, 502, 503, 504]);

/** `repeatable`: a repetition of the request has no further effect. */
export const isRetryable = (error: ClientError, repeatable: boolean): boolean => {
  switch (error.kind) {
    case 'network':
    case 'timeout':
      return repeatable;
    case 'unexpected-answer':
      return repeatable && retryableStatuses.has(error.status);
    case 'problem':
      // The limiter refuses a request before it has any effect.
      if (error.status === 429) return true;
      if (error.status === 409) return repeatable && error.retryAfterSeconds !== undefined;
      return repeatable && retryableStatuses.has(error.status);
    case 'stream-ended':
      return false;
  }
};

/** Milliseconds; `tries`: attempts so far. */
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
