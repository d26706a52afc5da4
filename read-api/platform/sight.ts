/** Read your writes, for queries that are neither one row nor a page of rows as they are. */
import { type Either, isLeft } from 'fp-ts/Either';
import type { Problem } from '../../infra/http/problem';
import type { RouteRequest } from '../../infra/http/route';
import type { NamedView } from '../../infra/ports/view-store';
import { patience, type Reading } from '../kernel/query';
import { floorOf, visible } from '../kernel/visible';

type Asked = Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'signal'>;

/** Where the view stands, at what the caller has seen already or later. */
export const sightOf = async (
  { positions }: Pick<Reading, 'positions'>,
  view: NamedView,
  { headers, signal }: Asked,
): Promise<Either<Problem, bigint | null>> => {
  const floor = floorOf(headers, { revisions: false });
  if (isLeft(floor)) return floor;
  return visible(positions, { view, position: floor.right.position, signal: patience(signal, floor.right) });
};
