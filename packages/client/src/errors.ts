/** Errors of calls. Decide by `kind`, and for refusals of the server by `code`. */

export interface InputFault {
  /** RFC 6901: `/body/reason`. */
  readonly pointer: string;
  readonly expected: string;
}

export interface ErrorContext {
  readonly operation: string;
  /** Commands only: a retry under the same key is executed once. */
  readonly idempotencyKey?: string;
  readonly requestId?: string;
  readonly cause?: unknown;
}

const optionsOf = ({ cause }: ErrorContext): ErrorOptions => (cause === undefined ? {} : { cause });

/** The server refused the request, with a reason (RFC 9457). Also for errors of OAuth endpoints and of rate limits. */
export class ProblemError<Code extends string = string> extends Error {
  override readonly name = 'ProblemError';
  readonly kind = 'problem';
  readonly code: Code;
  readonly status: number;
  readonly title: string;
  /** A sentence for the caller. */
  readonly detail: string;
  /** Faults of the input, with their pointers. */
  readonly errors: readonly InputFault[];
  readonly retryAfterSeconds: number | undefined;
  /** `WWW-Authenticate` of the answer: how a caller has to authenticate (RFC 9110; step-up, RFC 9470). */
  readonly challenge: string | undefined;
  readonly context: ErrorContext;

  constructor(
    problem: Pick<
      ProblemError<Code>,
      'code' | 'status' | 'title' | 'detail' | 'errors' | 'retryAfterSeconds' | 'challenge'
    >,
    context: ErrorContext,
  ) {
    super(`${context.operation}: ${problem.detail || problem.title || problem.code}`, optionsOf(context));
    this.code = problem.code;
    this.status = problem.status;
    this.title = problem.title;
    this.detail = problem.detail;
    this.errors = problem.errors;
    this.retryAfterSeconds = problem.retryAfterSeconds;
    this.challenge = problem.challenge;
    this.context = context;
  }
}

export type UnexpectedReason =
  | 'content-type'
  | 'not-utf-8'
  | 'not-json'
  | 'too-large'
  | 'wrong-form'
  | 'status'
  | 'redirect'
  | 'cursor-repeats';

export interface Unexpected {
  readonly reason: UnexpectedReason;
  readonly status: number;
  /** Fixed text and pointers; never received values. */
  readonly detail: string;
  readonly retryAfterSeconds?: number | undefined;
}

/** The response is none of this API: of a proxy, of another server, or broken. */
export class UnexpectedAnswerError extends Error {
  override readonly name = 'UnexpectedAnswerError';
  readonly kind = 'unexpected-answer';
  readonly reason: UnexpectedReason;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;
  readonly context: ErrorContext;

  constructor({ reason, status, detail, retryAfterSeconds }: Unexpected, context: ErrorContext) {
    super(`${context.operation}: ${detail}`, optionsOf(context));
    this.reason = reason;
    this.status = status;
    this.retryAfterSeconds = retryAfterSeconds;
    this.context = context;
  }
}

/** No complete response arrived. The request may have been executed; a command retried under its key is executed once. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  readonly kind = 'network';
  readonly context: ErrorContext;

  constructor(context: ErrorContext) {
    super(`${context.operation}: the connection failed before an answer was complete.`, optionsOf(context));
    this.context = context;
  }
}

/** As `NetworkError`, because the time ran out. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
  readonly kind = 'timeout';
  readonly context: ErrorContext;

  constructor(milliseconds: number, context: ErrorContext) {
    super(`${context.operation}: no answer within ${milliseconds} ms.`, optionsOf(context));
    this.context = context;
  }
}

/** The server ended a stream for a reason that a reconnect does not change. */
export class StreamEndedError extends Error {
  override readonly name = 'StreamEndedError';
  readonly kind = 'stream-ended';
  readonly code: string;
  readonly context: ErrorContext;

  constructor(code: string, context: ErrorContext) {
    super(`${context.operation}: the stream ended with ${code}.`, optionsOf(context));
    this.code = code;
    this.context = context;
  }
}

export type ClientError = ProblemError | UnexpectedAnswerError | NetworkError | TimeoutError | StreamEndedError;

const kinds = new Set(['problem', 'unexpected-answer', 'network', 'timeout', 'stream-ended']);

/** Checks fields, not the class, so that two copies of this package recognise each other's errors. */
export const isClientError = (error: unknown): error is ClientError =>
  error instanceof Error && 'kind' in error && 'context' in error && kinds.has(String(error.kind));

/** Whether the server refused the request, with one of the codes if any are passed. */
export const isProblem = <Code extends string = string>(
  error: unknown,
  ...codes: readonly Code[]
): error is ProblemError<Code> =>
  isClientError(error) &&
  error.kind === 'problem' &&
  (codes.length === 0 || (codes as readonly string[]).includes(error.code));
