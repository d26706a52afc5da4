/** Lists below a resource: 404 where the tenant has no such resource, rather than an empty page. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { View, ViewRow } from '../../infra/ports/views/view-store';
import { type Problem, problem, problemOf } from '../../infra/server/http/problem';
import type { RouteRequest } from '../../infra/server/http/routing/route';
import { parseMinimumVersion, waitUntilVisible } from '../kernel/read-your-writes';
import { type QueryDeps, waitDeadline } from '../kernel/row-queries';

type Request = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'identity' | 'signal'>;

interface Parent<Row extends ViewRow> {
  readonly view: View<Row>;
  readonly key: Partial<Row>;
  /** A sentence for the caller. */
  readonly missing: string;
}

export const requireParent = async <Row extends ViewRow>(
  { views, positions }: QueryDeps,
  { view, key, missing }: Parent<Row>,
  { headers, identity: { tenantId }, signal }: Request,
): Promise<Either<Problem, Row>> => {
  const floor = parseMinimumVersion(headers, { revisions: false });
  if (isLeft(floor)) return floor;
  const seen = { view, position: floor.right.position, signal: waitDeadline(signal, floor.right) };
  const position = await waitUntilVisible(positions, seen);
  if (isLeft(position)) return position;
  const found = await views.find(view, tenantId, key);
  if (isLeft(found)) return left(problemOf(found.left, {}));
  return found.right === undefined ? left(problem('not-found', missing)) : right(found.right);
};
