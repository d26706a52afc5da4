/** One request and what comes of it. */
import { drop } from './answer';
import { type ClientError, type ErrorContext, isClientError, NetworkError, TimeoutError } from './errors';
import type { Limited } from './limited';
import { refusalOf } from './refusal';
import type { Prepared } from './request';
import type { Session } from './session';
import type { Shown } from './tokens';

export interface Attempt<Value> {
  readonly request: Prepared;
  readonly headers: Readonly<Record<string, string>>;
  readonly shown: Shown;
  readonly context: ErrorContext;
  /** Thrown with its reason when it aborts. */
  readonly signal: AbortSignal;
  /** Of this request: still needed where its answer is read later. */
  readonly limit: Limited;
  /** Of an answer of success. */
  readonly read: (response: Response, context: ErrorContext) => Promise<Value>;
}

export type Outcome<Value> =
  | { readonly kind: 'answer'; readonly value: Value }
  | { readonly kind: 'failure'; readonly error: ClientError };

export const nobody: Shown = { token: undefined, nonce: undefined, headers: {} };

/** Throws where a header is malformed: that is the caller's error, and not the network's. */
const initOf = (session: Session, attempt: Attempt<unknown>): RequestInit => {
  const { request, headers, shown, limit } = attempt;
  const all = { accept: 'application/json', ...session.headers(), ...request.headers, ...headers, ...shown.headers };
  const { method, body } = request;
  const init = { ...session.init(), method, headers: new Headers(all), signal: limit.signal };
  return body === undefined ? init : { ...init, body };
};

const isSuccess = ({ status }: Response): boolean => (status >= 200 && status < 300) || status === 304;

const settled = async <Value>(
  session: Session,
  attempt: Attempt<Value>,
  init: RequestInit,
): Promise<Outcome<Value>> => {
  const response = await session.platform.fetch(attempt.request.url, init);
  session.tokens.heard(response.headers);
  const requestId = response.headers.get('x-request-id') ?? undefined;
  const context = { ...attempt.context, ...(requestId === undefined ? {} : { requestId }) };
  if (isSuccess(response)) return { kind: 'answer', value: await attempt.read(response, context) };
  const error = await refusalOf({ response, context }, session.largestAnswerBytes);
  drop(response);
  return { kind: 'failure', error };
};

export const tryOnce = async <Value>(session: Session, attempt: Attempt<Value>): Promise<Outcome<Value>> => {
  const { signal, limit, context } = attempt;
  const init = initOf(session, attempt);
  try {
    return await settled(session, attempt, init);
  } catch (error) {
    signal.throwIfAborted();
    if (isClientError(error)) return { kind: 'failure', error };
    if (limit.isOver()) return { kind: 'failure', error: new TimeoutError(limit.milliseconds, context) };
    return { kind: 'failure', error: new NetworkError({ ...context, cause: error }) };
  }
};
