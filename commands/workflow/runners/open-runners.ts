/** The part of the workflow service that runners talk to. */
import type { WorkflowPart, WorkflowPlatform } from '../platform';
import { openDispatcher } from './dispatcher';
import { openLeaseRenewals } from './job-lease';
import { jobRoutes } from './job-routes';
import { runnerRoutes } from './runner-routes';
import { runnerSocket } from './socket';

export const openRunners = (platform: WorkflowPlatform): WorkflowPart => {
  const dispatcher = openDispatcher(platform, openLeaseRenewals(platform));
  return {
    routes: [...runnerRoutes({ ...platform, dispatcher }), ...jobRoutes(platform)],
    sockets: [runnerSocket(platform, dispatcher)],
    background: dispatcher.background,
  };
};
