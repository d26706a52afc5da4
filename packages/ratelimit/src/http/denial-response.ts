/** HTTP responses of denied requests. They contain when to retry, and no names of the policy. */
import type { Decision } from '../decision/decision';
import { type HeaderLimit, limitHeaders } from './rate-limit-headers';

export interface DenialBody {
  readonly error: 'rate_limited' | 'request_too_large' | 'limiter_unavailable' | 'blocked';
  readonly message: string;
  readonly retryAfterSeconds?: number;
}

export interface DenialResponse {
  readonly status: 403 | 413 | 429 | 503;
  readonly headers: { readonly [name: string]: string };
  readonly body: DenialBody;
}

/** The one body of a 429. */
export interface RateLimitedBody extends DenialBody {
  readonly error: 'rate_limited';
  readonly retryAfterSeconds: number;
}

export interface RateLimitedResponse extends DenialResponse {
  readonly status: 429;
  readonly body: RateLimitedBody;
}

export interface ReachedLimits {
  /** The binding one first. */
  readonly limits: readonly HeaderLimit[];
  /** At least 1 in the response: a client that waits no time would be refused again. */
  readonly retryAfterSeconds: number;
  /** By default it contains when to retry. */
  readonly message?: string;
}

const inSeconds = (seconds: number): string => (seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`);

/** The 429 response of any limit, also of one that is counted elsewhere: body, `Retry-After` and rate limit headers. */
export const rateLimited = ({ limits, message, ...reached }: ReachedLimits): RateLimitedResponse => {
  const retryAfterSeconds = Math.max(1, reached.retryAfterSeconds);
  const again = `Too many requests. Try again ${inSeconds(retryAfterSeconds)}.`;
  return {
    status: 429,
    headers: limitHeaders({ outcome: 'deny', limits, retryAfterSeconds }),
    body: { error: 'rate_limited', message: message ?? again, retryAfterSeconds },
  };
};

type Refusal = Pick<DenialResponse, 'status' | 'body'>;

const refusalOf = ({ reason, retryAfterSeconds, message, limits }: Decision): Refusal & Partial<DenialResponse> => {
  switch (reason) {
    case 'blocked':
      return { status: 403, body: { error: 'blocked', message: message ?? 'Requests like this are not accepted.' } };
    case 'too-large':
      return {
        status: 413,
        body: { error: 'request_too_large', message: message ?? 'The request costs more than the limit’s capacity.' },
      };
    case 'store-unavailable': {
      const again = `The request cannot be checked against its rate limit right now. Try again ${inSeconds(retryAfterSeconds)}.`;
      return { status: 503, body: { error: 'limiter_unavailable', message: again, retryAfterSeconds } };
    }
    case 'limited':
    case undefined:
      return rateLimited({ limits, retryAfterSeconds });
  }
};

/** The response to a denial; its headers include those of the limits. */
export const denialResponse = (decision: Decision): DenialResponse => ({
  headers: limitHeaders(decision),
  ...refusalOf(decision),
});
