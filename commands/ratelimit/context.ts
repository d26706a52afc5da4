/** The rate limiter on the write side: it records what was used of quotas. */
import { describedOnly } from '../../infra/http/route';
import { commandContext } from '../kernel/context';
import { ratelimitRoutes } from './routes';

export const context = commandContext({
  config: {},
  open: (_values, platform) => ({ routes: ratelimitRoutes(platform) }),
  routes: { commands: () => ratelimitRoutes(describedOnly) },
});
