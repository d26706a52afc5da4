/** What follows the end of a connection: reconnect, reconnect with another token, or give up with an error. */
import { type ClientError, type ErrorContext, isClientError, StreamEndedError } from '../errors';
import { isRetryable, retryDelay } from '../http/retry-policy';
import type { ConnectionEnd } from './stream-message';

export type ReconnectDecision =
  | { readonly kind: 'wait'; readonly milliseconds: number; readonly error: ClientError | undefined }
  /** Reconnect with another token; if there is none, throw the error. */
  | { readonly kind: 'mend'; readonly error: ClientError }
  | { readonly kind: 'give-up'; readonly error: unknown }
  /** The stream has ended for good, and everything was received. */
  | { readonly kind: 'finish' };

/** Faults of the client: a reconnect would end the same way. */
const clientFaultCodes = new Set(['malformed-message', 'not-text', 'too-many-messages']);
/** Ends of what was followed. */
const finishedCodes = new Set(['log-ended']);
const tokenCodes = new Set(['token-expired', 'token_revoked', 'revoked']);
const defaultRetryMilliseconds = 2_000;
const maxRetryMilliseconds = 30_000;

const isDefect = (error: ClientError): boolean => error.kind === 'problem' && error.status === 500;

export interface ReconnectContext {
  readonly context: ErrorContext;
  /** Consecutive connections without a message. */
  readonly failures: number;
  /** False in a page with a session cookie: the next connection shows whether the session is still valid. */
  readonly hasToken: boolean;
  readonly random: () => number;
}

export const decideReconnect = (
  end: ConnectionEnd,
  { context, failures, hasToken, random }: ReconnectContext,
): ReconnectDecision => {
  if (end.kind === 'failed') {
    const { error } = end;
    if (!isClientError(error)) return { kind: 'give-up', error };
    if (error.kind === 'problem' && error.status === 401) return { kind: 'mend', error };
    // Reading has no effect, so it is retried even after a 500.
    if (!isRetryable(error, true) && !isDefect(error)) return { kind: 'give-up', error };
    return { kind: 'wait', milliseconds: retryDelay(error, failures, random), error };
  }
  const { code, retryMilliseconds = defaultRetryMilliseconds } = end;
  if (code !== undefined && finishedCodes.has(code)) return { kind: 'finish' };
  if (code !== undefined && clientFaultCodes.has(code))
    return { kind: 'give-up', error: new StreamEndedError(code, context) };
  if (hasToken && code !== undefined && tokenCodes.has(code))
    return { kind: 'mend', error: new StreamEndedError(code, context) };
  const maxWait = Math.min(retryMilliseconds * 2 ** Math.min(failures, 16), maxRetryMilliseconds);
  return { kind: 'wait', milliseconds: random() * maxWait, error: undefined };
};
