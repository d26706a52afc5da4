/** The rate limiter on the query side: usage of quotas. */
import { queryContext } from '../kernel/context';
import { ratelimitRoutes } from './routes';

export const context = queryContext({
  config: {},
  open: (_values, { reading }) => ({ deps: reading }),
  routes: ratelimitRoutes,
});
