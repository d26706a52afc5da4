/** Searches an index at the caller's minimum position or later. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { IndexAnswer, IndexQueries, IndexQuery } from '../../infra/ports/views/index-query';
import type { IndexView, ViewRow } from '../../infra/ports/views/view-store';
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

interface Search<Row extends ViewRow, Omitted extends keyof Row & string> {
  readonly view: IndexView<Row>;
  readonly query: IndexQuery<Row, Omitted>;
}

interface VisibleAnswer<Row> extends IndexAnswer<Row> {
  /** `Position`, for the caller. */
  readonly headers: { readonly [name: string]: string };
}

/** Of the caller's tenant; what the search finds is never older than the position that it answers. */
export const indexAnswer = async <Row extends ViewRow, Omitted extends keyof Row & string = never>(
  { positions, indexes }: Pick<IndexReading, 'positions' | 'indexes'>,
  { headers, identity, signal }: Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'identity' | 'signal'>,
  { view, query }: Search<Row, Omitted>,
): Promise<Either<Problem, VisibleAnswer<Omit<Row, Omitted>>>> => {
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor;
  const position = await waitUntilVisible(positions, {
    view,
    position: floor.right.position,
    signal: waitDeadline(signal, floor.right),
  });
  if (isLeft(position)) return position;
  const found = await indexes.search(view, identity.tenantId, { signal, ...query });
  if (isLeft(found)) return left(problemOf(found.left, {}));
  return right({ ...found.right, headers: positionHeader(position.right) });
};
