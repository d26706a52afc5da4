/** Places on the write side: feeds, and imports of files. */
import { describedOnly } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { geoRoutes } from './routes';

export const context = commandContext({
  config: {},
  open: (_values, platform) => ({ routes: geoRoutes(platform) }),
  routes: { commands: () => geoRoutes(describedOnly) },
});
