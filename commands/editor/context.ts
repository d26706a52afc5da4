/** The editor on the write side: documents and their members at the command API, their content at the copy that owns each. */
import { bind } from '../../infra/server/http/routing/route';
import { commandContext } from '../kernel/context';
import { duplicateRoute } from './document/duplicate';
import { documentRoutes } from './document/routes';
import { contentRoutes } from './sessions/http/routes';

export const context = commandContext({
  config: {},
  open: (_values, adapters) => ({ deps: adapters }),
  routes: documentRoutes,
  services: { editor: (deps: never) => [...contentRoutes(deps), bind(deps, duplicateRoute)] },
});
