/**
 * The 429 answer of a service's own limits: the body and headers that the limiter itself writes, so that all APIs answer alike. Problem tables
 * cannot hold a 429: it states which limit was reached, and for how long.
 */
import {
  type DenialResponse,
  limitHeaders as headersOf,
  type RateLimitedBody,
  rateLimited,
} from '../../../packages/ratelimit/src/index';
import type { JsonAnswer } from './routing/route';

export interface LimitExceeded {
  /** What is counted: `requests` by default. */
  readonly unit?: string;
  readonly limit: number;
  readonly remaining: number;
  /** Until nothing of it is used. */
  readonly resetSeconds: number;
  /** Time in which the whole limit is free again; 0 by default: it frees no part by time alone, or in no fixed time. */
  readonly windowSeconds?: number;
  /** The exact wait, if no other request comes meanwhile. */
  readonly retryAfterSeconds: number;
}

const limitsOf = ({ unit = 'requests', windowSeconds = 0, limit, remaining, resetSeconds }: LimitExceeded) => [
  { unit, limit, remaining, resetSeconds, windowSeconds },
];

/** For pages, which have no body of their own kind. */
export const limitHeaders = (over: LimitExceeded): Readonly<Record<string, string>> =>
  headersOf({ outcome: 'deny', limits: limitsOf(over), retryAfterSeconds: over.retryAfterSeconds });

export interface TooManyRequests extends JsonAnswer {
  readonly status: 429;
  readonly body: RateLimitedBody;
  readonly headers: { readonly [name: string]: string };
}

export const tooManyRequests = (over: LimitExceeded, message: string): TooManyRequests => {
  const { status, headers, body } = rateLimited({ ...over, limits: limitsOf(over), message });
  return { status, body, headers: { 'Cache-Control': 'no-store', ...headers } };
};

/** The same body as an error of OAuth (RFC 6749 section 5.2), whose clients read `error_description`. */
export const oauthDenialBody = <Body extends DenialResponse['body']>(
  body: Body,
): Body & { readonly error_description: string } => ({ ...body, error_description: body.message });
