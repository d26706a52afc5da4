/** The platform on the write side: jobs, and what operators do about them. */
import { serviceContext } from '../kernel/context';
import { workQueueRoutes } from '../kernel/work-queue/routes';

export const context = serviceContext({
  services: { processes: workQueueRoutes },
});
