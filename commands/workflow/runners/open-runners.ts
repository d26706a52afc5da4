/** The part of the workflow service that runners talk to. */
import { type WorkflowAdapters, workflowPart } from '../adapters';
import { openDispatcher } from './dispatcher';
import { openLeaseRenewals } from './job-lease';
import { jobRoutes } from './job-routes';
import { runnerRoutes } from './runner-routes';
import { runnerSocket } from './socket';

export const runnerPart = workflowPart({
  open: (adapters: WorkflowAdapters) => {
    const dispatcher = openDispatcher(adapters, openLeaseRenewals(adapters));
    return {
      deps: { ...adapters, dispatcher },
      sockets: [runnerSocket(adapters, dispatcher)],
      background: dispatcher.background,
    };
  },
  routes: (deps) => [...runnerRoutes(deps), ...jobRoutes(deps)],
});
