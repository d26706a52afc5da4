/** The rate limiter on the query side: usage of quotas. */
import { describedOnly } from '../../infra/http/routing/route';
import { queryContext } from '../kernel/context';
import { ratelimitRoutes } from './routes';

export const context = queryContext({
  config: {},
  open: (_values, { reading }) => ({ routes: ratelimitRoutes(reading) }),
  routes: () => ratelimitRoutes(describedOnly),
});
