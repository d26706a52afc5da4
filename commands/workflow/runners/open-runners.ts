/** The part of the workflow service that runners talk to. */
import { type WorkflowPlatform, workflowPart } from '../platform';
import { openDispatcher } from './dispatcher';
import { openLeaseRenewals } from './job-lease';
import { jobRoutes } from './job-routes';
import { runnerRoutes } from './runner-routes';
import { runnerSocket } from './socket';

export const runnerPart = workflowPart({
  open: (platform: WorkflowPlatform) => {
    const dispatcher = openDispatcher(platform, openLeaseRenewals(platform));
    return {
      deps: { ...platform, dispatcher },
      sockets: [runnerSocket(platform, dispatcher)],
      background: dispatcher.background,
    };
  },
  routes: (deps) => [...runnerRoutes(deps), ...jobRoutes(deps)],
});
