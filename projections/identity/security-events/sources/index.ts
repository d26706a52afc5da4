/** All sources of security events. */
import type { RowSource } from '../row';
import { approvalEvents, delegationEvents, grantEvents, refreshFamilyEvents, sessionEvents } from './access';
import { accessPolicyEvents } from './access-policy';
import {
  authorizationCodeEvents,
  denialEvents,
  deviceEvents,
  incidentEvents,
  tenantEvents,
  tenantSecurityEvents,
} from './alarms';
import { clientEvents, signingKeyEvents } from './clients-and-keys';
import { alertEvents, detectionPolicyEvents } from './detection';
import {
  authenticatorEvents,
  consentEvents,
  credentialPolicyEvents,
  registrationPolicyEvents,
  signInPolicyEvents,
} from './people';
import { issuanceEvents, principalEvents } from './principals';
import { protectedApiEvents } from './protected-apis';
import { workloadTrustEvents } from './workloads';

export const securityEventSources: readonly RowSource[] = [
  principalEvents,
  issuanceEvents,
  sessionEvents,
  grantEvents,
  delegationEvents,
  approvalEvents,
  refreshFamilyEvents,
  consentEvents,
  authenticatorEvents,
  signInPolicyEvents,
  credentialPolicyEvents,
  registrationPolicyEvents,
  clientEvents,
  workloadTrustEvents,
  protectedApiEvents,
  accessPolicyEvents,
  denialEvents,
  tenantSecurityEvents,
  tenantEvents,
  authorizationCodeEvents,
  deviceEvents,
  incidentEvents,
  alertEvents,
  detectionPolicyEvents,
  signingKeyEvents,
];
