/** The editor on the write side: documents and who may see them at the command API, their content at the copy that owns each. */
import { commandContext } from '../kernel/context';
import { documentRoutes } from './document/routes';
import { historyRoutes } from './history/routes';
import { contentRoutes } from './sessions/http/routes';

export const context = commandContext({
  config: {},
  open: (_values, platform) => ({ deps: platform }),
  routes: documentRoutes,
  services: { editor: (deps: never) => [...contentRoutes(deps), ...historyRoutes(deps)] },
});
