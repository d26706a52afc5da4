/** Searches an index at the caller's minimum position or later. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { IndexAnswer, IndexQueries, IndexQuery } from '../../infra/ports/views/index-query';
import type { IndexView, NamedView, ViewRow } from '../../infra/ports/views/view-store';
import { commonProblems, type Problem, problemOf } from '../../infra/server/http/problem';
import { positionHeader } from '../../infra/server/http/routing/position-header';
import type { RouteRequest } from '../../infra/server/http/routing/route';
import { parseMinimumVersion, waitUntilVisible } from './read-your-writes';
import { type QueryDeps, waitDeadline } from './row-queries';

export interface IndexReading extends QueryDeps {
  readonly indexes: IndexQueries;
}

const {
  'index-query-refused': refused,
  'not-yet-visible': notYetVisible,
  'point-in-time-expired': expired,
  'view-store-unavailable': unavailable,
} = commonProblems;

/** Of every route that searches. */
export const indexQueryProblems = {
  'index-query-refused': refused,
  'not-yet-visible': notYetVisible,
  'point-in-time-expired': expired,
  'view-store-unavailable': unavailable,
};

type IndexRequest = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'identity' | 'signal'>;

/** `Position`, for the caller: of what is found from now on, or an earlier one. */
export const indexPosition = async (
  { positions }: Pick<IndexReading, 'positions'>,
  { headers, signal }: Pick<IndexRequest, 'headers' | 'signal'>,
  view: NamedView,
): Promise<Either<Problem, { readonly [name: string]: string }>> => {
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor;
  const position = await waitUntilVisible(positions, {
    view,
    position: floor.right.position,
    signal: waitDeadline(signal, floor.right),
  });
  return isLeft(position) ? position : right(positionHeader(position.right));
};

interface Search<Row extends ViewRow, Omitted extends keyof Row & string> {
  readonly view: IndexView<Row>;
  readonly query: IndexQuery<Row, Omitted>;
}

/** Of the caller's tenant. */
export const searchIndex = async <Row extends ViewRow, Omitted extends keyof Row & string = never>(
  { indexes }: Pick<IndexReading, 'indexes'>,
  { identity, signal }: Pick<IndexRequest, 'identity' | 'signal'>,
  { view, query }: Search<Row, Omitted>,
): Promise<Either<Problem, IndexAnswer<Omit<Row, Omitted>>>> => {
  const found = await indexes.search(view, identity.tenantId, { signal, ...query });
  return isLeft(found) ? left(problemOf(found.left, {})) : right(found.right);
};

interface VisibleAnswer<Row> extends IndexAnswer<Row> {
  /** `Position`, for the caller. */
  readonly headers: { readonly [name: string]: string };
}

/** What the search finds is never older than the position that it answers. */
export const indexAnswer = async <Row extends ViewRow, Omitted extends keyof Row & string = never>(
  reading: Pick<IndexReading, 'positions' | 'indexes'>,
  request: IndexRequest,
  search: Search<Row, Omitted>,
): Promise<Either<Problem, VisibleAnswer<Omit<Row, Omitted>>>> => {
  const headers = await indexPosition(reading, request, search.view);
  if (isLeft(headers)) return headers;
  const found = await searchIndex(reading, request, search);
  return isLeft(found) ? found : right({ ...found.right, headers: headers.right });
};
