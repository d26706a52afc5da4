/** The editor on the write side: documents and their members at the command API, their content at the copy that owns each. */
import { commandContext } from '../kernel/context';
import { documentRoutes } from './document/routes';
import { editorServiceRoutes } from './service-routes';

export const context = commandContext({
  config: {},
  open: (_values, adapters) => ({ deps: adapters }),
  routes: documentRoutes,
  services: { editor: editorServiceRoutes },
});
