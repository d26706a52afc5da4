/** The editor on the write side: documents and who may see them at the command API, their content at the copy that owns each. */
import { bind, describedOnly } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { duplicateRoute } from './document/duplicate';
import { documentRoutes } from './document/routes';
import { contentRoutes } from './sessions/http/routes';

export const context = commandContext({
  config: {},
  open: (_values, adapters) => ({ routes: documentRoutes(adapters) }),
  routes: {
    commands: () => documentRoutes(describedOnly),
    editor: () => [...contentRoutes(describedOnly), bind(describedOnly, duplicateRoute)],
  },
});
