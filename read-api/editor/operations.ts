/** GET /v1/documents/:documentId/operations: committed operations after a version, read from the log. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Operation } from '../../domain/editor/operation';
import { logStream } from '../../domain/editor/operation-log/events';
import { integer, nullable, record } from '../../domain/kernel/codec';
import type { StoredEvent } from '../../infra/ports/event-store';
import type { StreamReader } from '../../infra/ports/stream-pages';
import { decodeLogEvent } from '../../infra/server/documents/version-range';
import { findFirstAfter } from '../../infra/server/documents/version-search';
import { type Problem, problemOf } from '../../infra/server/http/problem';
import { integerParameter } from '../../infra/server/http/routing/integer-parameter';
import { type Answer, type RouteRequest, route } from '../../infra/server/http/routing/route';
import { accessProblems, DocumentParams, type DocumentReading, keyOf, requireAccess, scopes } from './access-guard';

export interface OperationsReading extends DocumentReading {
  readonly pages: StreamReader;
}

interface CommittedOperations {
  /** The version after them. */
  readonly toVersion: number;
  /** Empty for copied content. */
  readonly operations: readonly Operation[];
}

/** Undefined if the event has no version range. */
const committedIn = (stored: StoredEvent): CommittedOperations | undefined => {
  const { type, data } = decodeLogEvent(stored);
  if (type === 'OperationsCommitted') return data;
  return type === 'ContentCopied' ? { toVersion: data.snapshot.version, operations: [] } : undefined;
};

const defaultLimit = 500;
const Limit = integerParameter('OperationsLimit', { minimum: 1, maximum: 2_000, fallback: defaultLimit });
const Version = integerParameter('AfterVersion', { maximum: Number.MAX_SAFE_INTEGER });
const Query = record('OperationsQuery', { afterVersion: Version }, { limit: Limit });
type Query = t.TypeOf<typeof Query>;

const Operations = record('DocumentOperations', {
  /** In version order, from `afterVersion` + 1. */
  operations: t.array(Operation, 'DocumentOperationList'),
  /** Version of the last one; `afterVersion` if there is none. */
  toVersion: integer(0),
  headVersion: integer(0),
  /** Cursor of the next page; null on the last. */
  nextAfterVersion: nullable(integer(0)),
});

const problems = {
  ...accessProblems,
  'history-unavailable': { status: 409, title: 'Operations after this version are not available' },
} as const;

const historyUnavailable: Problem = problemOf(
  {
    kind: 'rejection',
    code: 'history-unavailable',
    detail: 'The content was copied, and begins at a later version; begin with the snapshot.',
  },
  problems,
);

/** Bounds of one read; the answer has at most `maxPages` of them. */
const page = { direction: 'forwards', limit: 16, mostBytes: 1_048_576 } as const;
const maxPages = 8;

interface OperationsRequest {
  readonly stream: string;
  readonly from: number;
  readonly afterVersion: number;
  readonly limit: number;
}

const operationsAfter = ({ operations, toVersion }: CommittedOperations, version: number): readonly Operation[] =>
  operations.slice(Math.max(0, operations.length - (toVersion - version)));

/** Reads whole events; the last one is cut at the limit. */
const readOperations = async (
  pages: StreamReader,
  wanted: OperationsRequest,
): Promise<Either<Problem, readonly Operation[]>> => {
  const gathered: Operation[] = [];
  for (let { from } = wanted, count = 0; gathered.length < wanted.limit && count < maxPages; count += 1) {
    const read = await pages({ ...page, stream: wanted.stream, from });
    if (isLeft(read)) return left(problemOf(read.left, {}));
    const last = read.right.events.at(-1);
    if (last === undefined) break;
    for (const committed of read.right.events.flatMap((event) => committedIn(event) ?? [])) {
      const version = wanted.afterVersion + gathered.length;
      if (committed.toVersion > version + committed.operations.length) return left(historyUnavailable);
      gathered.push(...operationsAfter(committed, version));
    }
    from = last.revision + 1;
  }
  return right(gathered.slice(0, wanted.limit));
};

const answerOf = (operations: readonly Operation[], afterVersion: number, headVersion: number): Answer => {
  const toVersion = afterVersion + operations.length;
  // Operations may have been committed since the head was read.
  const head = operations.length === 0 ? headVersion : Math.max(headVersion, toVersion);
  const nextAfterVersion = operations.length > 0 && toVersion < head ? toVersion : null;
  return { status: 200, body: { operations, toVersion, headVersion: head, nextAfterVersion } };
};

type Request = RouteRequest<t.TypeOf<typeof DocumentParams>, Query, unknown>;

const list = async (reading: OperationsReading, request: Request): Promise<Answer> => {
  const reader = await requireAccess(reading, request);
  if (isLeft(reader)) return reader.left;
  const { afterVersion, limit = defaultLimit } = request.query;
  const { tenant, documentId } = keyOf(request);
  const stream = logStream(tenant, documentId);
  const location = await findFirstAfter(reading.pages, stream, afterVersion);
  if (isLeft(location)) return problemOf(location.left, {});
  const { headVersion, event } = location.right;
  if (event === undefined) return answerOf([], afterVersion, headVersion);
  const gathered = await readOperations(reading.pages, { stream, from: event.revision, afterVersion, limit });
  return isLeft(gathered) ? gathered.left : answerOf(gathered.right, afterVersion, headVersion);
};

export const listOperations = route<OperationsReading>()({
  method: 'get',
  path: '/v1/documents/:documentId/operations',
  operation: 'listDocumentOperations',
  summary: 'List operations committed to a document after a version',
  description:
    'Operations as they took effect, without a gap: apply them in order to the scene at `afterVersion`. A page may have fewer than `limit` if they are large.',
  access: { scopes },
  params: DocumentParams,
  query: Query,
  answers: { 200: { description: 'A page; `nextAfterVersion` is null on the last.', body: Operations } },
  problems,
  handle: list,
});
