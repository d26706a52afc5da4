/** The rate limiter on the write side: records the usage of calendar quotas. */
import { commandContext } from '../kernel/context';
import { ratelimitRoutes } from './routes';

export const context = commandContext({
  config: {},
  open: (_values, adapters) => ({ deps: adapters }),
  routes: ratelimitRoutes,
});
