/** What each event means to somebody who watches over access. */
import type { RowSource } from './meaning';
import { ofGrants, ofRefreshFamilies, ofSessions } from './of-access';
import { ofCodes, ofDenials, ofDevices, ofIncidents, ofTenantSecurity } from './of-alarms';
import { ofClients } from './of-clients';
import { ofAuthenticators, ofConsents, ofCredentialPolicies, ofSignInPolicies } from './of-people';
import { ofIssuance, ofPrincipals } from './of-principals';
import { ofSigningKeys } from './of-signing-keys';

export const securityEventSources: readonly RowSource[] = [
  ofPrincipals,
  ofIssuance,
  ofSessions,
  ofGrants,
  ofRefreshFamilies,
  ofConsents,
  ofAuthenticators,
  ofSignInPolicies,
  ofCredentialPolicies,
  ofClients,
  ofDenials,
  ofTenantSecurity,
  ofCodes,
  ofDevices,
  ofIncidents,
  ofSigningKeys,
];
