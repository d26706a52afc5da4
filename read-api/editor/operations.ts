/** GET /v1/documents/:documentId/operations: what was committed after a version, from the log itself. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Operation } from '../../domain/editor/operation';
import { integer, nullable, record } from '../../domain/kernel/codec';
import { digits } from '../../infra/http/digits';
import { type Problem, problemOf } from '../../infra/http/problem';
import { type Answer, type RouteRequest, route } from '../../infra/http/route';
import type { EventStoreFault, StoredEvent } from '../../infra/ports/event-store';
import type { StreamReader } from '../../infra/ports/stream-pages';
import { accessProblems, type DocumentReading, seen } from './access';
import { DocumentParams, scopes } from './wire';

/** What an event says of versions. */
export interface Span {
  readonly revision: number;
  /** The version after it. */
  readonly toVersion: number;
  /** None where content was copied. */
  readonly operations: readonly Operation[];
}

export interface DocumentLog {
  readonly pages: StreamReader;
  /** Undefined where an event says nothing of versions. */
  readonly spanOf: (stored: StoredEvent) => Span | undefined;
  /** The last version there is, and the first event that goes beyond a version; undefined where none does. */
  readonly placeAfter: (
    stream: string,
    version: number,
  ) => Promise<
    Either<EventStoreFault, { readonly headVersion: number; readonly event?: { readonly revision: number } }>
  >;
  readonly streamOf: (tenantId: string, documentId: string) => string;
}

export interface OperationsReading extends DocumentReading {
  readonly log: DocumentLog;
}

const usualLimit = 500;
const Limit = digits('OperationsLimit', { least: 1, most: 2_000, usual: usualLimit });
const Version = digits('AfterVersion', { most: Number.MAX_SAFE_INTEGER });
const Query = record('OperationsQuery', { afterVersion: Version }, { limit: Limit });
type Query = t.TypeOf<typeof Query>;

const Operations = record('DocumentOperations', {
  /** In the order of versions, the first that of `afterVersion` + 1. */
  operations: t.array(Operation, 'DocumentOperationList'),
  /** Of the last of them; `afterVersion` where there is none. */
  toVersion: integer(0),
  headVersion: integer(0),
  /** Of the next page; null on the last. */
  nextAfterVersion: nullable(integer(0)),
});

const problems = {
  ...accessProblems,
  'history-unavailable': { status: 409, title: 'What was committed after this version cannot be told by operations' },
} as const;

const unavailable: Problem = problemOf(
  {
    kind: 'rejection',
    code: 'history-unavailable',
    detail: 'The content was copied, and begins at a later version; begin with the snapshot.',
  },
  problems,
);

/** Each ends when it is too large; so does the answer. */
const page = { direction: 'forwards', limit: 16, mostBytes: 1_048_576 } as const;
const mostPages = 8;

interface Wanted {
  readonly stream: string;
  readonly from: number;
  readonly afterVersion: number;
  readonly limit: number;
}

const laterIn = ({ operations, toVersion }: Span, version: number): readonly Operation[] =>
  operations.slice(Math.max(0, operations.length - (toVersion - version)));

/** Whole events, and of the last one what is asked for. */
const gather = async (log: DocumentLog, wanted: Wanted): Promise<Either<Problem, readonly Operation[]>> => {
  const gathered: Operation[] = [];
  for (let { from } = wanted, pages = 0; gathered.length < wanted.limit && pages < mostPages; pages += 1) {
    const read = await log.pages({ ...page, stream: wanted.stream, from });
    if (isLeft(read)) return left(problemOf(read.left, {}));
    const last = read.right.events.at(-1);
    if (last === undefined) break;
    for (const span of read.right.events.flatMap((event) => log.spanOf(event) ?? [])) {
      const version = wanted.afterVersion + gathered.length;
      if (span.toVersion > version + span.operations.length) return left(unavailable);
      gathered.push(...laterIn(span, version));
    }
    from = last.revision + 1;
  }
  return right(gathered.slice(0, wanted.limit));
};

const answerOf = (operations: readonly Operation[], afterVersion: number, headVersion: number): Answer => {
  const toVersion = afterVersion + operations.length;
  // More may have come since the head was looked for.
  const head = operations.length === 0 ? headVersion : Math.max(headVersion, toVersion);
  const nextAfterVersion = operations.length > 0 && toVersion < head ? toVersion : null;
  return { status: 200, body: { operations, toVersion, headVersion: head, nextAfterVersion } };
};

type Request = RouteRequest<t.TypeOf<typeof DocumentParams>, Query, unknown>;

const list = async (reading: OperationsReading, request: Request): Promise<Answer> => {
  const standing = await seen(reading, request);
  if (isLeft(standing)) return standing.left;
  const { afterVersion, limit = usualLimit } = request.query;
  const { log } = reading;
  const stream = log.streamOf(request.identity.tenantId, request.params.documentId);
  const place = await log.placeAfter(stream, afterVersion);
  if (isLeft(place)) return problemOf(place.left, {});
  const { headVersion, event } = place.right;
  if (event === undefined) return answerOf([], afterVersion, headVersion);
  const gathered = await gather(log, { stream, from: event.revision, afterVersion, limit });
  return isLeft(gathered) ? gathered.left : answerOf(gathered.right, afterVersion, headVersion);
};

export const listOperations = route<OperationsReading>()({
  method: 'get',
  path: '/v1/documents/:documentId/operations',
  operation: 'listDocumentOperations',
  summary: 'What was committed to a document after a version.',
  description:
    'Operations as they took effect, without a gap: apply them in their order to what was there at `afterVersion`. A page may hold fewer than `limit` where they are large.',
  access: { scopes },
  params: DocumentParams,
  query: Query,
  answers: { 200: { description: 'A page; `nextAfterVersion` is null on the last.', body: Operations } },
  problems,
  handle: list,
});
