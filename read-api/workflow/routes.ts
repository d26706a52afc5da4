/** Routes of workflows in the query API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { listArtifacts } from './artifacts';
import { listJobs, type WorkflowDeps } from './jobs';
import { getOrganization } from './organization';
import { getRepository, listRepositories } from './repositories';
import { listRunners } from './runners';
import { getRun, listRuns } from './runs';

export const workflowRoutes = (reading: WorkflowDeps): readonly BoundRoute[] => [
  bind(reading, getOrganization),
  bind(reading, listRepositories),
  bind(reading, getRepository),
  bind(reading, listRuns),
  bind(reading, getRun),
  bind(reading, listJobs),
  bind(reading, listArtifacts),
  bind(reading, listRunners),
];
