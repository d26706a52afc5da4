/** One logical call: asked again, under the same idempotency key, until it is answered, refused, or out of time. */
import { checked, contentOf, drop, type Raw, unexpected } from './answer';
import { type Attempt, nobody, type Outcome, tryOnce } from './attempt';
import { type ClientError, type ErrorContext, isClientError, TimeoutError } from './errors';
import { limited } from './limited';
import type { Row } from './operation';
import type { CallOptions } from './options';
import { type Input, prepared } from './request';
import { isPassing, pauseAfter } from './retry';
import type { Session } from './session';

export interface Answered<Body> {
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
  /** It has no further effect if it was done already. */
  readonly repeatable: boolean;
  readonly idempotencyKey?: string;
}

const bodyOf = async (session: Session, { answers }: Row, raw: Raw): Promise<unknown> => {
  const { status } = raw.response;
  const shape = answers[status];
  if (status === 304 || status === 204 || shape === 'nothing') {
    drop(raw.response);
    return undefined;
  }
  if (shape === undefined) {
    drop(raw.response);
    throw unexpected(raw, 'status', `Status ${status} is none of this operation.`);
  }
  return checked(shape, await contentOf(raw, session.largestAnswerBytes), raw);
};

const readBy = (session: Session, { row }: Call) => {
  return async (response: Response, context: ErrorContext): Promise<Answered<unknown>> => {
    const said = (name: string): string | undefined => response.headers.get(name) ?? undefined;
    const body = await bodyOf(session, row, { response, context });
    const answered = { status: response.status, body, etag: said('etag'), position: said('position') };
    const { idempotencyKey, requestId } = context;
    return { ...answered, location: said('location'), idempotencyKey, requestId };
  };
};

interface Memory {
  last?: ClientError;
}

const isRefused = (error: ClientError): boolean => error.kind === 'problem' && error.status === 401;

/** A token is replaced once, and a nonce it asks for is shown once. */
const mostMends = 2;

type Trying = Omit<Attempt<Answered<unknown>>, 'shown' | 'limit'> & { readonly call: Call; readonly until: number };

const withRetries = async (session: Session, trying: Trying, memory: Memory): Promise<Answered<unknown>> => {
  const { call, request, signal, until } = trying;
  const { platform, tokens } = session;
  let mends = 0;
  for (let tries = 1; ; tries += 1) {
    const shown = call.row.public === true ? nobody : await tokens.show(request, signal);
    const limit = limited(signal, session.attemptMilliseconds);
    const outcome: Outcome<Answered<unknown>> = await tryOnce(session, { ...trying, shown, limit }).finally(limit.end);
    if (outcome.kind === 'answer') return outcome.value;
    const { error } = outcome;
    memory.last = error;
    if (isRefused(error) && mends < mostMends && (await tokens.mend(shown, signal))) {
      mends += 1;
      continue;
    }
    const pause = pauseAfter(error, tries, platform.random);
    const isLast = tries >= session.attempts || platform.now() + pause > until;
    if (isLast || !isPassing(error, call.repeatable)) throw error;
    await platform.sleep(pause, signal);
  }
};

/** Rejects with a `ClientError`, or with the reason of the caller's signal. */
export const perform = async (session: Session, call: Call): Promise<Answered<unknown>> => {
  const { row, input, options, idempotencyKey } = call;
  const milliseconds = options.timeoutMilliseconds ?? session.timeoutMilliseconds;
  const request = prepared(session.base, row, input);
  const context = { operation: row.operation, ...(idempotencyKey === undefined ? {} : { idempotencyKey }) };
  const overall = limited(options.signal, milliseconds);
  const headers = { ...call.headers, ...options.headers };
  const until = session.platform.now() + milliseconds;
  const trying = { call, request, headers, context, signal: overall.signal, until, read: readBy(session, call) };
  const memory: Memory = {};
  try {
    return await withRetries(session, trying, memory);
  } catch (error) {
    if (isClientError(error) || !overall.isOver()) throw error;
    // What the server said last tells more than the clock.
    throw memory.last ?? new TimeoutError(milliseconds, context);
  } finally {
    overall.end();
  }
};
