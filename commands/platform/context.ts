/** The platform on the write side: what operators do about jobs that died. */
import { describedOnly } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { deadLetterRoutes } from '../kernel/work-queue/dead-letter-routes';

export const context = commandContext({
  config: {},
  open: () => ({ routes: [] }),
  routes: { processes: () => deadLetterRoutes(describedOnly) },
});
