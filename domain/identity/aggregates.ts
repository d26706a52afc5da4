/** The aggregates of identity. */

import type { ContextAggregates } from '../kernel/aggregate';
import { approval } from './approval/decider';
import { waitingApprovals } from './approval/waiting-approvals';
import { authenticator } from './authenticators/decider';
import { code } from './authorization-code/decider';
import { client } from './client/decider';
import { consent } from './consent/decider';
import { credentialPolicy } from './credential-policy/decider';
import { delegation } from './delegation/decider';
import { liveDelegations } from './delegation/live-delegations';
import { denial } from './denylist/decider';
import { alert } from './detection/alert/decider';
import { detectionPolicy } from './detection/policy/decider';
import { deviceRequest } from './device-authorization/decider';
import { grant } from './grant/decider';
import { identifierClaim } from './identifier-claim/decider';
import { passkeyClaims, upstreamClaims } from './identifier-claim/events';
import { incident } from './incident/decider';
import { issuance } from './issuance/events';
import { accessPolicy } from './policy/decider';
import { principal } from './principal/decider';
import { audienceClaim } from './protected-api/audience-claim';
import { apiRegistry } from './protected-api/decider';
import { pushedRequest } from './pushed-request/decider';
import { references } from './references';
import { refreshFamilies } from './refresh-family/events';
import { registrationPolicy } from './registration-policy/decider';
import { session } from './session/decider';
import { signInPolicy } from './sign-in-policy/decider';
import { signingKey } from './signing-keys/decider';
import { tenant } from './tenant/decider';
import { tenantNotBefore } from './tenant-security/decider';
import { workloadTrust } from './workload-trust/decider';

export const context: ContextAggregates = {
  aggregates: [
    principal,
    session,
    grant,
    delegation,
    approval,
    waitingApprovals,
    liveDelegations,
    client,
    signingKey,
    code,
    pushedRequest,
    deviceRequest,
    consent,
    authenticator,
    identifierClaim,
    { ...identifierClaim, family: passkeyClaims },
    { ...identifierClaim, family: upstreamClaims },
    signInPolicy,
    credentialPolicy,
    registrationPolicy,
    workloadTrust,
    accessPolicy,
    apiRegistry,
    audienceClaim,
    tenant,
    denial,
    tenantNotBefore,
    incident,
    alert,
    detectionPolicy,
    { family: issuance, initial: null, evolve: () => null },
    // Not folded: its state is a long chain of hashes.
    { family: refreshFamilies, initial: null, evolve: () => null },
  ],
  references,
};
