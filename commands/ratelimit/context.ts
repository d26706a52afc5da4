/** The rate limiter on the write side: records the usage of calendar quotas. */
import { describedOnly } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { ratelimitRoutes } from './routes';

export const context = commandContext({
  config: {},
  open: (_values, adapters) => ({ routes: ratelimitRoutes(adapters) }),
  routes: { commands: () => ratelimitRoutes(describedOnly) },
});
