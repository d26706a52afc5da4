/**
 * The part of the workflow service for artifacts: a job creates one and uploads its bytes by signed requests; it is committed, and with that
 * listed, once its bytes were seen in object storage. Its name belongs to an attempt of a job's run, and its bytes never change. It is removed
 * when it expires or is deleted.
 */
import { type WorkflowAdapters, workflowPart } from '../adapters';
import { openArtifactCommits } from './commit-artifact';
import { deleteRoute } from './delete-route';
import { artifactJobRoutes } from './job-routes';

export const artifactPart = workflowPart({
  open: (adapters: WorkflowAdapters) => ({ deps: { ...adapters, commits: openArtifactCommits(adapters) } }),
  routes: (deps) => [...artifactJobRoutes(deps), deleteRoute(deps)],
});
