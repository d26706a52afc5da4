/** Answers one row by its key, or a page of rows, at the caller's minimum position or later. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { PageRequest, Scalar, View, ViewReader, ViewRow } from '../../infra/ports/views/view-store';
import { type Problem, problem, problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import type { Answer, RouteRequest } from '../../infra/server/http/routing/route';
import { type Cursors, defaultLimit, refuseCursor } from './pagination';
import {
  type MinimumVersion,
  notYet,
  parseMinimumVersion,
  type ViewPositions,
  waitUntilVisible,
} from './read-your-writes';

export interface QueryDeps {
  readonly views: ViewReader;
  readonly positions: ViewPositions;
  readonly cursors: Cursors;
}

const maxWaitMilliseconds = 500;
/** Minimum time between two reads of the row: a busy log moves the view's position all the time. */
const pauseMilliseconds = 5;

type Headers = { readonly [name: string]: string };

const withHeaders = (refused: Problem, headers: Headers): Problem => ({
  ...refused,
  headers: { ...refused.headers, ...headers },
});

export interface RowQuery<Row extends ViewRow> {
  readonly view: View<Row>;
  readonly key: Partial<Row>;
  /** A sentence for the caller. */
  readonly missing: string;
  /** What applies without a row; it is answered without an ETag. */
  readonly otherwise?: unknown;
  readonly show: (row: Row) => unknown;
  /** A sentence for the caller when the row stands for a resource that was removed: the answer is 410 then. */
  readonly gone?: ((row: Row) => string | undefined) | undefined;
  /** False: the row shows more than its stream's revision stands for, so no ETag is sent. Left out, always true. */
  readonly isTagged?: (row: Row) => boolean;
}

type QueryRequest = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'identity' | 'signal'>;

/** Only a query with a minimum version needs a deadline. */
export const waitDeadline = (signal: AbortSignal, { position, revision }: MinimumVersion): AbortSignal =>
  position === undefined && revision === undefined ? signal : abortAfter(signal, maxWaitMilliseconds);

interface FoundRow<Row> {
  readonly row: Row | undefined;
  readonly position: bigint | null;
}

/** Reads the position before the row, so that the row is never older than the position. */
const findVisible = async <Row extends ViewRow>(
  { views, positions }: QueryDeps,
  { view, key }: RowQuery<Row>,
  request: QueryRequest,
): Promise<Either<Problem, FoundRow<Row>>> => {
  const floor = parseMinimumVersion(request.headers, { revisions: true });
  if (isLeft(floor)) return floor;
  const { revision = -1 } = floor.right;
  const signal = waitDeadline(request.signal, floor.right);
  for (let wanted = floor.right.position; ; ) {
    const position = await waitUntilVisible(positions, { view, position: wanted, signal });
    if (isLeft(position)) return position;
    const found = await views.find(view, request.identity.tenantId, key);
    if (isLeft(found)) return left(problemOf(found.left, {}));
    if (revision < 0 || (found.right?.revision ?? -1) >= revision)
      return right({ row: found.right, position: position.right });
    if (signal.aborted) return notYet;
    await sleep(pauseMilliseconds);
    wanted = (position.right ?? -1n) + 1n;
  }
};

export const queryRow = async <Row extends ViewRow>(
  reading: QueryDeps,
  query: RowQuery<Row>,
  request: QueryRequest,
): Promise<Answer> => {
  const found = await findVisible(reading, query, request);
  if (isLeft(found)) return found.left;
  const { row } = found.right;
  const headers = positionHeader(found.right.position);
  if (row === undefined && query.otherwise !== undefined) return { status: 200, body: query.otherwise, headers };
  if (row === undefined) return withHeaders(problem('not-found', query.missing), headers);
  const gone = query.gone?.(row);
  if (gone !== undefined) return withHeaders(problem('gone', gone), headers);
  const tag: Headers = query.isTagged?.(row) === false ? {} : { ETag: `W/"${row.revision}"` };
  return { status: 200, body: query.show(row), headers: { ...headers, ...tag } };
};

export interface RowsQuery<Row extends ViewRow> {
  /** The route's operation; cursors are valid for one operation only. */
  readonly operation: string;
  readonly view: View<Row>;
  readonly request: Pick<PageRequest<Row>, 'where' | 'between' | 'all' | 'search' | 'order'>;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
  readonly show: (row: Row) => unknown;
}

const scalar = (value: unknown): Scalar => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new Error('a page is ordered by a field that is not a scalar');
};

const cursorValues = <Row extends ViewRow>(row: Row, order: PageRequest<Row>['order']): readonly Scalar[] =>
  order.map(({ field }) => scalar(row[field]));

export const queryPage = async <Row extends ViewRow>(
  { views, positions, cursors }: QueryDeps,
  { operation, view, request, limit = defaultLimit, cursor, show }: RowsQuery<Row>,
  { headers, identity: { tenantId }, signal }: QueryRequest,
): Promise<Answer> => {
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor.left;
  const scope = [tenantId, operation, request];
  const after = cursor === undefined ? right(undefined) : cursors.read(scope, cursor);
  if (isLeft(after)) return refuseCursor(after.left);
  const position = await waitUntilVisible(positions, {
    view,
    position: floor.right.position,
    signal: waitDeadline(signal, floor.right),
  });
  if (isLeft(position)) return position.left;
  const begin = after.right === undefined ? {} : { after: after.right };
  // One row more than the page, to know whether there is a next page.
  const rows = await views.page(view, tenantId, { ...request, ...begin, limit: limit + 1 });
  if (isLeft(rows)) return problemOf(rows.left, {});
  const page = rows.right.slice(0, limit);
  const last = rows.right.length > limit ? page.at(-1) : undefined;
  const next = last === undefined ? null : cursors.write(scope, cursorValues(last, request.order));
  return {
    status: 200,
    body: { items: page.map(show), next_cursor: next },
    headers: positionHeader(position.right),
  };
};

/** Aborts with the signal, or after the milliseconds. */
const abortAfter = (signal: AbortSignal, milliseconds: number): AbortSignal => {
  const end = new AbortController();
  const abort = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
    end.abort();
  };
  // A request's signal aborts when its answer is complete, so the timer does not outlive it.
  const timer = setTimeout(abort, milliseconds);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return end.signal;
};
