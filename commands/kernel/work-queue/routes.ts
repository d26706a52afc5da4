/** Routes of work queues, which the processes service answers. */
import type { BoundRoute } from '../../../infra/server/http/routing/route';
import { deadLetterRoutes } from './dead-letter-routes';
import { jobRoutes } from './job-routes';

type WorkQueueDeps = Parameters<typeof deadLetterRoutes>[0] & Parameters<typeof jobRoutes>[0];

export const workQueueRoutes = (deps: WorkQueueDeps): readonly BoundRoute[] => [
  ...deadLetterRoutes(deps),
  ...jobRoutes(deps),
];
