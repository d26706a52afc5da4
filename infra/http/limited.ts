/** The answer to who asked too often, in the one form that all of our APIs have for it. */
import type { JsonAnswer } from './route';

export interface Over {
  readonly limit: number;
  readonly remaining: number;
  /** Until nothing of it is used. */
  readonly resetSeconds: number;
  /** Waiting exactly that long is enough when nobody else comes. */
  readonly retryAfterSeconds: number;
}

export const limitedHeaders = (over: Over): Readonly<Record<string, string>> => ({
  'Retry-After': String(over.retryAfterSeconds),
  'X-RateLimit-Limit': String(over.limit),
  'X-RateLimit-Remaining': String(over.remaining),
  'X-RateLimit-Reset': String(over.resetSeconds),
});

export const limitedAnswer = (over: Over, message: string): JsonAnswer => ({
  status: 429,
  body: { error: 'rate_limited', message, retryAfterSeconds: over.retryAfterSeconds },
  headers: { 'Cache-Control': 'no-store', ...limitedHeaders(over) },
});
