/** The platform on the write side: jobs, and what operators do about them. */
import { describedOnly } from '../../infra/http/routing/route';
import { commandContext } from '../kernel/context';
import { deadLetterRoutes } from '../kernel/work-queue/dead-letter-routes';
import { jobRoutes } from '../kernel/work-queue/job-routes';

export const context = commandContext({
  config: {},
  open: () => ({ routes: [] }),
  routes: { processes: () => [...deadLetterRoutes(describedOnly), ...jobRoutes(describedOnly)] },
});
