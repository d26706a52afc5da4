/** The part of the workflow service that runners talk to. */
import type { WorkflowAdapters, WorkflowPart } from '../adapters';
import { openDispatcher } from './dispatcher';
import { openLeaseRenewals } from './job-lease';
import { jobRoutes } from './job-routes';
import { runnerRoutes } from './runner-routes';
import { runnerSocket } from './socket';

export const openRunners = (adapters: WorkflowAdapters): WorkflowPart => {
  const dispatcher = openDispatcher(adapters, openLeaseRenewals(adapters));
  return {
    routes: [...runnerRoutes({ ...adapters, dispatcher }), ...jobRoutes(adapters)],
    sockets: [runnerSocket(adapters, dispatcher)],
    background: dispatcher.background,
  };
};
