/** The part of organizations and repositories: their routes, Git over HTTP, and the events that pushes and callers bring. */
import { type BoundRoute, bind } from '../../../infra/server/http/routing/route';
import { pause } from '../../../infra/server/runtime/backoff';
import { trackOutage } from '../../../infra/server/runtime/outage';
import { type WorkflowPlatform, workflowPart } from '../platform';
import { announcePushWith } from './announce-push';
import { listDispatchableWorkflows } from './dispatchable-route';
import { receiveRepositoryEvent } from './event-route';
import { followRepositories } from './follow-log';
import { listRefs, receivePack, uploadPack } from './git-routes';
import { changeDefaultBranch, configureOrganization, createRepository, deleteRepository } from './repository-routes';

const pendingMilliseconds = 5_000;

/** Announces pushes whose process died before it could. */
const announcePending = async (platform: WorkflowPlatform): Promise<void> => {
  const { git, log, random, signal } = platform;
  if (git === undefined) return;
  const outage = trackOutage(log, {
    failing: 'pushes that wait to be recorded could not be read',
    recovered: 'pushes that wait to be recorded are read again',
  });
  while (!signal.aborted) {
    try {
      await git.announcePending(announcePushWith(platform, random.uuid()));
      outage.recovered();
    } catch (error) {
      outage.failed({ error });
    }
    await pause(pendingMilliseconds, signal);
  }
};

export const repositoryRoutes = (platform: WorkflowPlatform): readonly BoundRoute[] => [
  bind(platform, configureOrganization),
  bind(platform, createRepository),
  bind(platform, changeDefaultBranch),
  bind(platform, deleteRepository),
  bind(platform, receiveRepositoryEvent),
  bind(platform, listDispatchableWorkflows),
  bind(platform, listRefs),
  bind(platform, uploadPack),
  bind(platform, receivePack),
];

export const repositoryPart = workflowPart({
  open: (platform: WorkflowPlatform) => ({
    deps: platform,
    background: [followRepositories(platform), announcePending(platform)],
  }),
  routes: repositoryRoutes,
});
