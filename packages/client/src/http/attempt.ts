/** One attempt of a request, and its outcome. */

import type { RequestAuthorization } from '../authorization/token-source';
import { type ClientError, type ErrorContext, isClientError, NetworkError, TimeoutError } from '../errors';
import type { Session } from '../session';
import type { PreparedRequest } from './build-request';
import type { Deadline } from './deadline';
import { readRefusal } from './problem-response';
import { discardBody } from './read-response';

export interface Attempt<Value> {
  readonly request: PreparedRequest;
  readonly headers: Readonly<Record<string, string>>;
  readonly authorization: RequestAuthorization;
  readonly context: ErrorContext;
  /** When it aborts, its reason is thrown. */
  readonly signal: AbortSignal;
  /** Of this attempt. A stream still needs it while its body is read. */
  readonly deadline: Deadline;
  /** Reads a successful response. */
  readonly read: (response: Response, context: ErrorContext) => Promise<Value>;
}

export type AttemptOutcome<Value> =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'failure'; readonly error: ClientError };

export const anonymous: RequestAuthorization = { token: undefined, nonce: undefined, headers: {} };

/** Throws if a header is malformed: an error of the caller, not of the network. */
const createRequestInit = (session: Session, attempt: Attempt<unknown>): RequestInit => {
  const { request, headers, authorization, deadline } = attempt;
  const all = {
    accept: 'application/json',
    ...session.headers(),
    ...request.headers,
    ...headers,
    ...authorization.headers,
  };
  const { method, body } = request;
  const init = { ...session.init(), method, headers: new Headers(all), signal: deadline.signal };
  return body === undefined ? init : { ...init, body };
};

const isSuccess = ({ status }: Response): boolean => (status >= 200 && status < 300) || status === 304;

const fetchAndRead = async <Value>(
  session: Session,
  attempt: Attempt<Value>,
  init: RequestInit,
): Promise<AttemptOutcome<Value>> => {
  const response = await session.platform.fetch(attempt.request.url, init);
  session.tokens.observe(response.headers);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const context = { ...attempt.context, ...(requestId === undefined ? {} : { requestId }) };
  if (isSuccess(response)) return { kind: 'answer', value: await attempt.read(response, context) };
  const error = await readRefusal({ response, context }, session.maxResponseBytes);
  discardBody(response);
  return { kind: 'failure', error };
};

export const sendOnce = async <Value>(session: Session, attempt: Attempt<Value>): Promise<AttemptOutcome<Value>> => {
  const { signal, deadline, context } = attempt;
  const init = createRequestInit(session, attempt);
  try {
    return await fetchAndRead(session, attempt, init);
  } catch (error) {
    signal.throwIfAborted();
    if (isClientError(error)) return { kind: 'failure', error };
    if (deadline.isExceeded()) return { kind: 'failure', error: new TimeoutError(deadline.milliseconds, context) };
    return { kind: 'failure', error: new NetworkError({ ...context, cause: error }) };
  }
};
