/** Routes of workflows in the query API. */
import { type BoundRoute, bind } from '../../infra/server/http/routing/route';
import { type ArtifactDownloadDeps, downloadArtifact } from './artifact-download';
import { listArtifacts } from './artifacts';
import { type JobLogDeps, readLog } from './job-log';
import { listJobs, type WorkflowDeps } from './jobs';
import { getOrganization } from './organization';
import { getRepository, listRepositories } from './repositories';
import { listRunners } from './runners';
import { getRun, listRuns } from './runs';
import { listWaitingJobs, type WaitingJobsDeps } from './waiting-jobs';

type RecordDeps = ArtifactDownloadDeps & JobLogDeps & WaitingJobsDeps;

/** Answered from the log, object storage and what runners report, and so without a view's delay. */
export const recordRoutes = (deps: RecordDeps): readonly BoundRoute[] => [
  bind(deps, downloadArtifact),
  bind(deps, readLog),
  bind(deps, listWaitingJobs),
];

export const viewRoutes = (reading: WorkflowDeps): readonly BoundRoute[] => [
  bind(reading, getOrganization),
  bind(reading, listRepositories),
  bind(reading, getRepository),
  bind(reading, listRuns),
  bind(reading, getRun),
  bind(reading, listJobs),
  bind(reading, listArtifacts),
  bind(reading, listRunners),
];

export const workflowRoutes = (deps: WorkflowDeps & RecordDeps): readonly BoundRoute[] => [
  ...viewRoutes(deps),
  ...recordRoutes(deps),
];
