/** Every view that is kept, one line each. */
import { editorProjections } from './editor/projections';
import { authenticatorsProjection } from './identity/authenticators/project';
import { authoritiesProjection } from './identity/authorities/project';
import { clientsProjection } from './identity/clients/project';
import { credentialPolicyProjection } from './identity/credential-policy/project';
import { credentialsProjection } from './identity/credentials/project';
import { grantsProjection } from './identity/grants/project';
import { principalHistoryProjection } from './identity/principal-history/project';
import { principalsProjection } from './identity/principals/project';
import { refreshFamiliesProjection } from './identity/refresh-families/project';
import { securityEventsProjection } from './identity/security-events/project';
import { sessionsProjection } from './identity/sessions/project';
import { signInSettingsProjection } from './identity/sign-in-settings/project';
import { signingKeysProjection } from './identity/signing-keys/project';
import type { Projection } from './kernel/projection';
import { platformEventsProjection } from './platform/events/project';
import { forgottenKeysProjection } from './platform/forgotten-keys/project';
import { platformStreamsProjection } from './platform/streams/project';
import { usageProjection } from './ratelimit/usage/project';

export const projections: readonly Projection[] = [
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
  securityEventsProjection,
  usageProjection,
  ...editorProjections,
  platformStreamsProjection,
  platformEventsProjection,
  forgottenKeysProjection,
];
