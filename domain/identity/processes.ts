/** The processes of identity. */
import { alertOnCredentialReuse } from './alert-on-credential-reuse/process';
import { containOnIncidentOpened } from './contain-on-incident-opened/process';
import { endSessionsOnSecurityEpochBumped } from './end-sessions-on-security-epoch-bumped/process';
import { notifyOnClientSignedOut } from './notify-on-client-signed-out/process';
import { openIncidentOnAlert } from './open-incident-on-alert/process';
import { openIncidentOnCompromise } from './open-incident-on-compromise/process';

export const processes = {
  alertOnCredentialReuse,
  containOnIncidentOpened,
  endSessionsOnSecurityEpochBumped,
  notifyOnClientSignedOut,
  openIncidentOnAlert,
  openIncidentOnCompromise,
};
