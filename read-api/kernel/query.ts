/** Answers of the query side: one row by its key, or a page of rows, never below what the caller has seen. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { positionHeader } from '../../infra/http/position';
import { type Problem, problem, problemOf } from '../../infra/http/problem';
import type { Answer, RouteRequest } from '../../infra/http/route';
import type { PageRequest, Scalar, View, ViewReader, ViewRow } from '../../infra/ports/view-store';
import { limited } from './limited';
import { type Cursors, defaultLimit } from './page';
import type { Positions } from './positions';
import { type Floor, floorOf, notYet, visible } from './visible';

export interface Reading {
  readonly views: ViewReader;
  readonly positions: Positions;
  readonly cursors: Cursors;
}

const patienceMilliseconds = 500;
/** A busy log moves the view all the time; the row need not be asked for as often. */
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
  readonly show: (row: Row) => unknown;
  /** False: the row shows more than its stream's revision stands for, so no ETag is sent. Left out, always true. */
  readonly isTagged?: (row: Row) => boolean;
}

type Asked = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'identity' | 'signal'>;

/** Only who waits needs an end of waiting. */
export const patience = (signal: AbortSignal, { position, revision }: Floor): AbortSignal =>
  position === undefined && revision === undefined ? signal : limited(signal, patienceMilliseconds);

interface Found<Row> {
  readonly row: Row | undefined;
  readonly position: bigint | null;
}

/** The position is read before the row, so that the row is never older than it says. */
const findVisible = async <Row extends ViewRow>(
  { views, positions }: Reading,
  { view, key }: RowQuery<Row>,
  asked: Asked,
): Promise<Either<Problem, Found<Row>>> => {
  const floor = floorOf(asked.headers, { revisions: true });
  if (isLeft(floor)) return floor;
  const { revision = -1 } = floor.right;
  const signal = patience(asked.signal, floor.right);
  for (let wanted = floor.right.position; ; ) {
    const position = await visible(positions, { view, position: wanted, signal });
    if (isLeft(position)) return position;
    const found = await views.find(view, asked.identity.tenantId, key);
    if (isLeft(found)) return left(problemOf(found.left, {}));
    if (revision < 0 || (found.right?.revision ?? -1) >= revision)
      return right({ row: found.right, position: position.right });
    if (signal.aborted) return notYet;
    await sleep(pauseMilliseconds);
    wanted = (position.right ?? -1n) + 1n;
  }
};

export const oneRow = async <Row extends ViewRow>(
  reading: Reading,
  query: RowQuery<Row>,
  asked: Asked,
): Promise<Answer> => {
  const found = await findVisible(reading, query, asked);
  if (isLeft(found)) return found.left;
  const { row } = found.right;
  const headers = positionHeader(found.right.position);
  if (row === undefined) return withHeaders(problem('not-found', query.missing), headers);
  const tag: Headers = query.isTagged?.(row) === false ? {} : { ETag: `W/"${row.revision}"` };
  return { status: 200, body: query.show(row), headers: { ...headers, ...tag } };
};

export interface RowsQuery<Row extends ViewRow> {
  /** The route's, so that a cursor of one is none of another. */
  readonly operation: string;
  readonly view: View<Row>;
  readonly request: Pick<PageRequest<Row>, 'where' | 'between' | 'search' | 'order'>;
  readonly limit: number | undefined;
  readonly cursor: string | undefined;
  readonly show: (row: Row) => unknown;
}

const scalar = (value: unknown): Scalar => {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value;
  throw new Error('a page is ordered by a field that is no scalar');
};

const placeOf = <Row extends ViewRow>(row: Row, order: PageRequest<Row>['order']): readonly Scalar[] =>
  order.map(({ field }) => scalar(row[field]));

export const pageOfRows = async <Row extends ViewRow>(
  { views, positions, cursors }: Reading,
  { operation, view, request, limit = defaultLimit, cursor, show }: RowsQuery<Row>,
  { headers, identity: { tenantId }, signal }: Asked,
): Promise<Answer> => {
  const floor = floorOf(headers, { revisions: false });
  if (isLeft(floor)) return floor.left;
  const scope = [tenantId, operation, request];
  const after = cursor === undefined ? right(undefined) : cursors.read(scope, cursor);
  if (isLeft(after)) return after.left;
  const position = await visible(positions, {
    view,
    position: floor.right.position,
    signal: patience(signal, floor.right),
  });
  if (isLeft(position)) return position.left;
  const begin = after.right === undefined ? {} : { after: after.right };
  // One more than is shown tells whether there is a next page.
  const rows = await views.page(view, tenantId, { ...request, ...begin, limit: limit + 1 });
  if (isLeft(rows)) return problemOf(rows.left, {});
  const shown = rows.right.slice(0, limit);
  const last = rows.right.length > limit ? shown.at(-1) : undefined;
  const next = last === undefined ? null : cursors.write(scope, placeOf(last, request.order));
  return {
    status: 200,
    body: { items: shown.map(show), next_cursor: next },
    headers: positionHeader(position.right),
  };
};
