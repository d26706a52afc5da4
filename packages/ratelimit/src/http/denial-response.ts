/** HTTP responses of denied requests. They tell callers when to retry, and no names of the policy. */
import type { Decision } from '../decision/decision';
import { limitHeaders } from './rate-limit-headers';

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

const inSeconds = (seconds: number): string => (seconds === 1 ? 'in 1 second' : `in ${seconds} seconds`);

const denialBodyOf = ({ reason, retryAfterSeconds, message }: Decision): Pick<DenialResponse, 'status' | 'body'> => {
  switch (reason) {
    case 'blocked':
      return { status: 403, body: { error: 'blocked', message: message ?? 'Requests like this are not accepted.' } };
    case 'too-large':
      return {
        status: 413,
        body: { error: 'request_too_large', message: message ?? 'The request costs more than the limit’s capacity.' },
      };
    case 'store-unavailable': {
      const again = `Requests cannot be counted right now. Try again ${inSeconds(retryAfterSeconds)}.`;
      return { status: 503, body: { error: 'limiter_unavailable', message: again, retryAfterSeconds } };
    }
    case 'limited':
    case undefined: {
      const again = `Too many requests. Try again ${inSeconds(retryAfterSeconds)}.`;
      return { status: 429, body: { error: 'rate_limited', message: again, retryAfterSeconds } };
    }
  }
};

/** The response to a denial; its headers include those of the limits. */
export const denialResponse = (decision: Decision): DenialResponse => ({
  ...denialBodyOf(decision),
  headers: limitHeaders(decision),
});
