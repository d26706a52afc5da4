/** The part of organizations and repositories: their routes, Git over HTTP, and the events that pushes and callers bring. */
import { type BoundRoute, bind } from '../../../infra/server/http/routing/route';
import { pause } from '../../../infra/server/runtime/backoff';
import { trackOutage } from '../../../infra/server/runtime/outage';
import { type WorkflowAdapters, workflowPart } from '../adapters';
import { announcePushWith } from './announce-push';
import { listDispatchableWorkflows } from './dispatchable-route';
import { receiveRepositoryEvent } from './event-route';
import { followRepositories } from './follow-log';
import { listRefs, receivePack, uploadPack } from './git-routes';
import { changeDefaultBranch, configureOrganization, createRepository, deleteRepository } from './repository-routes';

const pendingMilliseconds = 5_000;

/** Announces pushes whose process died before it could. */
const announcePending = async (adapters: WorkflowAdapters): Promise<void> => {
  const { git, log, random, signal } = adapters;
  if (git === undefined) return;
  const outage = trackOutage(log, {
    failing: 'pushes that wait to be recorded could not be read',
    recovered: 'pushes that wait to be recorded are read again',
  });
  while (!signal.aborted) {
    try {
      await git.announcePending(announcePushWith(adapters, random.uuid()));
      outage.recovered();
    } catch (error) {
      outage.failed({ error });
    }
    await pause(pendingMilliseconds, signal);
  }
};

export const repositoryRoutes = (adapters: WorkflowAdapters): readonly BoundRoute[] => [
  bind(adapters, configureOrganization),
  bind(adapters, createRepository),
  bind(adapters, changeDefaultBranch),
  bind(adapters, deleteRepository),
  bind(adapters, receiveRepositoryEvent),
  bind(adapters, listDispatchableWorkflows),
  bind(adapters, listRefs),
  bind(adapters, uploadPack),
  bind(adapters, receivePack),
];

export const repositoryPart = workflowPart({
  open: (adapters: WorkflowAdapters) => ({
    deps: adapters,
    background: [followRepositories(adapters), announcePending(adapters)],
  }),
  routes: repositoryRoutes,
});
