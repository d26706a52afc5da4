/** The processes of identity. */
import { containOnFamilyCompromised } from './contain-on-family-compromised/process';
import { endSessionsOnSecurityEpochBumped } from './end-sessions-on-security-epoch-bumped/process';
import { notifyOnClientSignedOut } from './notify-on-client-signed-out/process';

export const processes = { containOnFamilyCompromised, endSessionsOnSecurityEpochBumped, notifyOnClientSignedOut };
