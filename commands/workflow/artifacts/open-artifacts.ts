/**
 * The part of the workflow service for artifacts: a job creates one and uploads its bytes by signed requests; it is committed, and with that
 * listed, once its bytes were seen in object storage. Its name belongs to an attempt of a job's run, and its bytes never change. It is removed
 * when it expires or is deleted.
 */
import type { BoundRoute } from '../../../infra/server/http/routing/route';
import type { WorkflowAdapters, WorkflowPart } from '../adapters';
import { openArtifactCommits } from './commit-artifact';
import { artifactJobRoutes } from './job-routes';
import { artifactViewerRoutes } from './viewer-routes';

export const artifactRoutes = (adapters: WorkflowAdapters): readonly BoundRoute[] => [
  ...artifactJobRoutes({ ...adapters, commits: openArtifactCommits(adapters) }),
  ...artifactViewerRoutes(adapters),
];

export const openArtifacts = (adapters: WorkflowAdapters): WorkflowPart => ({ routes: artifactRoutes(adapters) });
