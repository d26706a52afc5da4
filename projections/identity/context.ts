/** Views of identity. */

import type { Projection } from '../kernel/projection';
import { authenticatorsProjection } from './authenticators/project';
import { authoritiesProjection } from './authorities/project';
import { clientsProjection } from './clients/project';
import { credentialPolicyProjection } from './credential-policy/project';
import { credentialsProjection } from './credentials/project';
import { grantsProjection } from './grants/project';
import { principalHistoryProjection } from './principal-history/project';
import { principalsProjection } from './principals/project';
import { refreshFamiliesProjection } from './refresh-families/project';
import { registrationPolicyProjection } from './registration-policy/project';
import { securityEventsProjection } from './security-events/project';
import { sessionsProjection } from './sessions/project';
import { signInSettingsProjection } from './sign-in-settings/project';
import { signingKeysProjection } from './signing-keys/project';

export const context: readonly Projection[] = [
  principalsProjection,
  principalHistoryProjection,
  authoritiesProjection,
  authenticatorsProjection,
  credentialsProjection,
  sessionsProjection,
  grantsProjection,
  refreshFamiliesProjection,
  clientsProjection,
  signingKeysProjection,
  signInSettingsProjection,
  credentialPolicyProjection,
  registrationPolicyProjection,
  securityEventsProjection,
];
