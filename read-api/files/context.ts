/** Files on the query side. */
import type { BoundRoute } from '../../infra/server/http/routing/route';
import { queryContext } from '../kernel/context';

export const context = queryContext({
  config: {},
  open: (_values, { reading }) => ({ deps: reading }),
  routes: (): readonly BoundRoute[] => [],
});
