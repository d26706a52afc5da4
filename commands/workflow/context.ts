/** Workflows on the write side: what the workflow service answers. The command API has no part in it. */
import type { BoundRoute } from '../../infra/server/http/routing/route';
import { serviceContext } from '../kernel/context';
import { artifactRoutes } from './artifacts/open-artifacts';
import { logRoutes } from './logs/routes';
import { repositoryRoutes } from './repositories/open-repositories';
import { jobRoutes } from './runners/job-routes';
import { runnerRoutes } from './runners/runner-routes';
import { runRoutes } from './runs/routes';

/** The routes of every part of the service, as documents need them. One line for each part. */
const workflowRoutes = (deps: never): readonly BoundRoute[] => [
  ...repositoryRoutes(deps),
  ...runRoutes(deps),
  ...logRoutes(deps),
  ...runnerRoutes(deps),
  ...jobRoutes(deps),
  ...artifactRoutes(deps),
];

export const context = serviceContext({ services: { workflow: workflowRoutes } });
