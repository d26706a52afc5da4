/** Problem details (RFC 9457): one shape for every refusal, and the codes that any route may answer with. */
import type { InputFault } from '../../../domain/kernel/codec';
import type { Fault, Rejection } from '../../../domain/kernel/rejection';
import type { RefusalNote } from './refusal-note';

/** 429 is none: it has a body of its own (`too-many-requests.ts`). */
type ProblemStatus =
  | (
      | 400
      | 401
      | 403
      | 404
      | 405
      | 406
      | 408
      | 409
      | 410
      | 411
      | 412
      | 413
      | 414
      | 415
      | 416
      | 417
      | 421
      | 422
      | 426
      | 431
    )
  | (500 | 501 | 502 | 503 | 504 | 507);

export interface ProblemKind {
  readonly status: ProblemStatus;
  readonly title: string;
  /** What its answers carry besides. */
  readonly headers?: { readonly [name: string]: string };
}

export type ProblemTable = { readonly [code: string]: ProblemKind };

export interface Problem {
  readonly problem: {
    readonly type: string;
    readonly title: string;
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly errors?: readonly InputFault[];
  };
  readonly headers?: { readonly [name: string]: string };
  /** For operators; the caller does not see it. */
  readonly refused?: RefusalNote;
}

export const commonProblems = {
  'invalid-input': { status: 400, title: 'Invalid input' },
  'malformed-body': { status: 400, title: 'The body is not valid JSON or form data' },
  unauthenticated: { status: 401, title: 'Authentication is required' },
  forbidden: { status: 403, title: 'The caller lacks the required authority' },
  'index-query-refused': { status: 400, title: 'The search cannot be made' },
  'not-found': { status: 404, title: 'Not found' },
  'method-not-allowed': { status: 405, title: 'The method is not available here' },
  'request-timeout': { status: 408, title: 'The body stopped arriving' },
  conflict: { status: 409, title: 'The resource was changed by another request' },
  gone: { status: 410, title: 'The resource was removed' },
  'point-in-time-expired': { status: 410, title: 'The pages of this search have expired' },
  'revision-differs': { status: 412, title: 'The revision in If-Match is not the current one' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-media-type': { status: 415, title: 'The content type is not supported' },
  'range-not-satisfiable': { status: 416, title: 'The range is not available' },
  'idempotency-key-reused': { status: 422, title: 'The idempotency key was used for another command' },
  'event-refused': { status: 422, title: 'The change is too large to be recorded' },
  'internal-error': { status: 500, title: 'Internal error' },
  'not-yet-visible': { status: 503, title: 'The change is not visible yet' },
  'event-store-unavailable': { status: 503, title: 'The log is unavailable' },
  'event-store-ambiguous': { status: 503, title: 'The outcome of the append is not known' },
  'view-store-unavailable': { status: 503, title: 'A read model is unavailable' },
  'vault-unavailable': { status: 503, title: 'The keys of personal data are unavailable' },
  'signing-unavailable': { status: 503, title: 'Signing keys are unavailable' },
  'service-unavailable': { status: 503, title: 'The service is unavailable' },
  timeout: { status: 504, title: 'The service took too long' },
} as const satisfies ProblemTable;

type CommonCode = keyof typeof commonProblems;

const about = (code: string, { status, title, headers }: ProblemKind, detail: string): Problem => {
  const carried = status === 503 ? { 'Retry-After': '1', ...headers } : headers;
  const plain = { problem: { type: `/problems/${code}`, title, status, code, detail } };
  return carried === undefined ? plain : { ...plain, headers: carried };
};

export const problem = (code: CommonCode, detail: string): Problem => about(code, commonProblems[code], detail);

export const invalidInput = (errors: readonly InputFault[]): Problem => {
  const plain = problem('invalid-input', 'One or more fields are missing or malformed; see errors.');
  return { ...plain, problem: { ...plain.problem, errors } };
};

/** Looks a rejection or fault up in its context's table; the compiler requires a row per code. */
export const problemOf = <Code extends string>(
  refused: Rejection<Code> | Fault<Code>,
  table: { readonly [C in Exclude<Code, CommonCode>]: ProblemKind },
): Problem => {
  const rows: ProblemTable = { ...commonProblems, ...table };
  const kind = rows[refused.code] ?? commonProblems['internal-error'];
  return about(refused.code, kind, refused.detail);
};
