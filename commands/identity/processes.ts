/** Identity's processes. */
import { containOnFamilyCompromised } from '../../domain/identity/contain-on-family-compromised/process';
import { endSessionsOnSecurityEpochBumped } from '../../domain/identity/end-sessions-on-security-epoch-bumped/process';
import { grant } from '../../domain/identity/grant/decider';
import { incident } from '../../domain/identity/incident/decider';
import { notifyOnClientSignedOut } from '../../domain/identity/notify-on-client-signed-out/process';
import { principal } from '../../domain/identity/principal/decider';
import { session } from '../../domain/identity/session/decider';
import type { ProcessContext } from '../kernel/context';
import { bindProcess, commandTarget } from '../kernel/processes/process-binding';
import { logoutNotifications } from './sessions/notification-queue';

export const context: ProcessContext = {
  processes: [
    bindProcess(containOnFamilyCompromised, {
      'identity.grant': commandTarget(grant),
      'identity.principal': commandTarget(principal),
      'identity.incident': commandTarget(incident),
    }),
    bindProcess(endSessionsOnSecurityEpochBumped, { 'identity.session': commandTarget(session) }),
    bindProcess(notifyOnClientSignedOut, {}),
  ],
  queues: [logoutNotifications],
};
