/** One logical call: retried under the same idempotency key until it is answered, refused, or out of time. */

import { type ClientError, type ErrorContext, isClientError, TimeoutError } from '../errors';
import type { Row } from '../operation';
import type { CallOptions } from '../options';
import type { Session } from '../session';
import { type Attempt, type AttemptOutcome, anonymous, sendOnce } from './attempt';
import { buildRequest, type Input } from './build-request';
import { startDeadline } from './deadline';
import { checkShape, createUnexpectedError, discardBody, type RawResponse, readJson } from './read-response';
import { isRetryable, retryDelay } from './retry-policy';

export interface ApiResponse<Body> {
  readonly status: number;
  readonly body: Body;
  /** Of the resource; for `ifMatch`, `minRevision` and `ifNoneMatch`. */
  readonly etag: string | undefined;
  /** Where in the log this was done, or how far a read model had come. */
  readonly position: string | undefined;
  readonly location: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string | undefined;
}

export interface Call {
  readonly row: Row;
  readonly input: Input;
  readonly headers: Readonly<Record<string, string>>;
  readonly options: CallOptions;
  /** A repetition has no further effect. */
  readonly repeatable: boolean;
  readonly idempotencyKey?: string;
}

const readBody = async (session: Session, { answers }: Row, raw: RawResponse): Promise<unknown> => {
  const { status } = raw.response;
  const shape = answers[status];
  if (status === 304 || status === 204 || shape === 'nothing') {
    discardBody(raw.response);
    return undefined;
  }
  if (shape === undefined) {
    discardBody(raw.response);
    throw createUnexpectedError(raw, 'status', `Status ${status} is none of this operation.`);
  }
  return checkShape(shape, await readJson(raw, session.maxResponseBytes), raw);
};

const createReader = (session: Session, { row }: Call) => {
  return async (response: Response, context: ErrorContext): Promise<ApiResponse<unknown>> => {
    const header = (name: string): string | undefined => response.headers.get(name) ?? undefined;
    const body = await readBody(session, row, { response, context });
    const answered = { status: response.status, body, etag: header('etag'), position: header('position') };
    const { idempotencyKey, requestId } = context;
    return { ...answered, location: header('location'), idempotencyKey, requestId };
  };
};

interface LastError {
  last?: ClientError;
}

/** The token endpoint answers 400 when it wants a nonce (RFC 9449, section 8). */
const isUnauthorized = (error: ClientError): boolean =>
  error.kind === 'problem' && (error.status === 401 || error.code === 'use_dpop_nonce');

/** One refresh for a refused token, and one for a new `DPoP-Nonce`. */
const maxTokenRefreshes = 2;

type RetriedCall = Omit<Attempt<ApiResponse<unknown>>, 'authorization' | 'deadline'> & {
  readonly call: Call;
  readonly until: number;
};

const callWithRetries = async (
  session: Session,
  retried: RetriedCall,
  lastError: LastError,
): Promise<ApiResponse<unknown>> => {
  const { call, request, signal, until } = retried;
  const { platform, tokens } = session;
  let refreshes = 0;
  for (let tries = 1; ; tries += 1) {
    const authorization = call.row.public === true ? anonymous : await tokens.authorize(request, signal);
    const deadline = startDeadline(signal, session.attemptMilliseconds);
    const outcome: AttemptOutcome<ApiResponse<unknown>> = await sendOnce(session, {
      ...retried,
      authorization,
      deadline,
    }).finally(deadline.end);
    if (outcome.kind === 'answer') return outcome.value;
    const { error } = outcome;
    lastError.last = error;
    if (isUnauthorized(error) && refreshes < maxTokenRefreshes && (await tokens.refresh(authorization, signal))) {
      refreshes += 1;
      continue;
    }
    const pause = retryDelay(error, tries, platform.random);
    const isLast = tries >= session.attempts || platform.now() + pause > until;
    if (isLast || !isRetryable(error, call.repeatable)) throw error;
    await platform.sleep(pause, signal);
  }
};

/** Rejects with a `ClientError`, or with the reason of the caller's signal. */
export const performCall = async (session: Session, call: Call): Promise<ApiResponse<unknown>> => {
  const { row, input, options, idempotencyKey } = call;
  const milliseconds = options.timeoutMilliseconds ?? session.timeoutMilliseconds;
  const request = buildRequest(session.base, row, input);
  const context = { operation: row.operation, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  const overall = startDeadline(options.signal, milliseconds);
  const headers = { ...call.headers, ...options.headers };
  const until = session.platform.now() + milliseconds;
  const retried = { call, request, headers, context, signal: overall.signal, until, read: createReader(session, call) };
  const lastError: LastError = {};
  try {
    return await callWithRetries(session, retried, lastError);
  } catch (error) {
    if (isClientError(error) || !overall.isExceeded()) throw error;
    // The server's last error explains more than a timeout.
    throw lastError.last ?? new TimeoutError(milliseconds, context);
  } finally {
    overall.end();
  }
};
