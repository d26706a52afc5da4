/** The query API changes nothing: its routes are GET, and POST where the route is a question. */
import type { BoundRoute } from '../../infra/server/http/routing/route';

const isQuery = ({ method, question }: BoundRoute): boolean =>
  method === 'get' || (method === 'post' && question === true);

/** Throws for any other route: the process does not start with it. */
export const queriesOnly = (routes: readonly BoundRoute[]): readonly BoundRoute[] => {
  const others = routes.filter((route) => !isQuery(route)).map(({ method, path }) => `${method} ${path}`);
  if (others.length > 0) throw new Error(`the query API answers queries only, not ${others.join(', ')}`);
  return routes;
};
