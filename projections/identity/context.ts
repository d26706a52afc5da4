/** Views of identity. */

import type { Projection } from '../kernel/projection';
import { apiToolsProjection } from './api-tools/project';
import { approvalsProjection } from './approvals/project';
import { authenticatorsProjection } from './authenticators/project';
import { authoritiesProjection } from './authorities/project';
import { clientsProjection } from './clients/project';
import { credentialPolicyProjection } from './credential-policy/project';
import { credentialsProjection } from './credentials/project';
import { delegationsProjection } from './delegations/project';
import { alertsProjection, detectionRulesProjection, expectedRuntimesProjection } from './detection/project';
import { grantsProjection } from './grants/project';
import { incidentsProjection } from './incidents/project';
import { policyDocumentsProjection } from './policy-documents/project';
import { policyVersionsProjection } from './policy-versions/project';
import { principalHistoryProjection } from './principal-history/project';
import { principalsProjection } from './principals/project';
import { protectedApisProjection } from './protected-apis/project';
import { refreshFamiliesProjection } from './refresh-families/project';
import { registrationPolicyProjection } from './registration-policy/project';
import { securityEventsProjection } from './security-events/project';
import { sessionsProjection } from './sessions/project';
import { signInSettingsProjection } from './sign-in-settings/project';
import { signingKeysProjection } from './signing-keys/project';
import { trustRulesProjection } from './trust-rules/project';
import { workloadIssuersProjection } from './workload-issuers/project';

export const context: readonly Projection[] = [
  principalsProjection,
  principalHistoryProjection,
  authoritiesProjection,
  authenticatorsProjection,
  credentialsProjection,
  sessionsProjection,
  grantsProjection,
  delegationsProjection,
  approvalsProjection,
  refreshFamiliesProjection,
  clientsProjection,
  signingKeysProjection,
  signInSettingsProjection,
  credentialPolicyProjection,
  registrationPolicyProjection,
  workloadIssuersProjection,
  trustRulesProjection,
  alertsProjection,
  detectionRulesProjection,
  expectedRuntimesProjection,
  protectedApisProjection,
  apiToolsProjection,
  incidentsProjection,
  policyVersionsProjection,
  policyDocumentsProjection,
  securityEventsProjection,
];
