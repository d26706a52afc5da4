/** The editor on the write side: documents and their members at the command API, their content at the document owners. */
import { describedOnly } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { documentRoutes } from './document/routes';
import { historyRoutes } from './history/routes';
import { contentRoutes } from './sessions/http/routes';

export const context = commandContext({
  config: {},
  open: (_values, adapters) => ({ routes: documentRoutes(adapters) }),
  routes: {
    commands: () => documentRoutes(describedOnly),
    editor: () => [...contentRoutes(describedOnly), ...historyRoutes(describedOnly)],
  },
});
