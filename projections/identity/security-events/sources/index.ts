/** All sources of security events. */
import type { RowSource } from '../row';
import { grantEvents, refreshFamilyEvents, sessionEvents } from './access';
import {
  authorizationCodeEvents,
  denialEvents,
  deviceEvents,
  incidentEvents,
  tenantEvents,
  tenantSecurityEvents,
} from './alarms';
import { clientEvents, signingKeyEvents } from './clients-and-keys';
import {
  authenticatorEvents,
  consentEvents,
  credentialPolicyEvents,
  registrationPolicyEvents,
  signInPolicyEvents,
} from './people';
import { issuanceEvents, principalEvents } from './principals';

export const securityEventSources: readonly RowSource[] = [
  principalEvents,
  issuanceEvents,
  sessionEvents,
  grantEvents,
  refreshFamilyEvents,
  consentEvents,
  authenticatorEvents,
  signInPolicyEvents,
  credentialPolicyEvents,
  registrationPolicyEvents,
  clientEvents,
  denialEvents,
  tenantSecurityEvents,
  tenantEvents,
  authorizationCodeEvents,
  deviceEvents,
  incidentEvents,
  signingKeyEvents,
];
