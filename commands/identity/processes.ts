/** Identity's processes. */
import { grant } from '../../domain/identity/grant/decider';
import { incident } from '../../domain/identity/incident/decider';
import { principal } from '../../domain/identity/principal/decider';
import { processes } from '../../domain/identity/processes';
import { session } from '../../domain/identity/session/decider';
import type { ProcessContext } from '../kernel/context';
import { bindProcesses, commandTarget } from '../kernel/processes/process-binding';
import { logoutNotifications } from './sessions/notification-queue';

export const context: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, {
    containOnFamilyCompromised: {
      'identity.grant': commandTarget(grant),
      'identity.principal': commandTarget(principal),
      'identity.incident': commandTarget(incident),
    },
    endSessionsOnSecurityEpochBumped: { 'identity.session': commandTarget(session) },
    notifyOnClientSignedOut: {},
  }),
  queues: [logoutNotifications],
};
