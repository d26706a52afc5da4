/** The platform on the write side: jobs, and what operators do about them. */
import { serviceContext } from '../kernel/context';
import { deadLetterRoutes } from '../kernel/work-queue/dead-letter-routes';
import { jobRoutes } from '../kernel/work-queue/job-routes';

export const context = serviceContext({
  services: { processes: (deps: never) => [...deadLetterRoutes(deps), ...jobRoutes(deps)] },
});
