/** The 429 answer and its headers, the same for all APIs. */
import type { JsonAnswer } from './routing/route';

export interface LimitExceeded {
  readonly limit: number;
  readonly remaining: number;
  /** Until nothing of it is used. */
  readonly resetSeconds: number;
  /** The exact wait, if no other request comes meanwhile. */
  readonly retryAfterSeconds: number;
}

export const limitHeaders = (over: LimitExceeded): Readonly<Record<string, string>> => ({
  'Retry-After': String(over.retryAfterSeconds),
  'X-RateLimit-Limit': String(over.limit),
  'X-RateLimit-Remaining': String(over.remaining),
  'X-RateLimit-Reset': String(over.resetSeconds),
});

export const tooManyRequests = (over: LimitExceeded, message: string): JsonAnswer => ({
  status: 429,
  body: { error: 'rate_limited', message, retryAfterSeconds: over.retryAfterSeconds },
  headers: { 'Cache-Control': 'no-store', ...limitHeaders(over) },
});
