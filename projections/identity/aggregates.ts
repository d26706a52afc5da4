/** Aggregates of identity for audits and the log explorer. */
import { authenticator } from '../../domain/identity/authenticators/decider';
import { code } from '../../domain/identity/authorization-code/decider';
import { client } from '../../domain/identity/client/decider';
import { consent } from '../../domain/identity/consent/decider';
import { containOnFamilyCompromised } from '../../domain/identity/contain-on-family-compromised/process';
import { credentialPolicy } from '../../domain/identity/credential-policy/decider';
import { denial } from '../../domain/identity/denylist/decider';
import { deviceRequest } from '../../domain/identity/device-authorization/decider';
import { endSessionsOnSecurityEpochBumped } from '../../domain/identity/end-sessions-on-security-epoch-bumped/process';
import { grant } from '../../domain/identity/grant/decider';
import { identifierClaim } from '../../domain/identity/identifier-claim/decider';
import { incident } from '../../domain/identity/incident/decider';
import { issuance } from '../../domain/identity/issuance/events';
import { notifyOnClientSignedOut } from '../../domain/identity/notify-on-client-signed-out/process';
import { principal } from '../../domain/identity/principal/decider';
import { pushedRequest } from '../../domain/identity/pushed-request/decider';
import { refreshFamilies } from '../../domain/identity/refresh-family/events';
import { registrationPolicy } from '../../domain/identity/registration-policy/decider';
import { session } from '../../domain/identity/session/decider';
import { signInPolicy } from '../../domain/identity/sign-in-policy/decider';
import { signingKey } from '../../domain/identity/signing-keys/decider';
import { streams } from '../../domain/identity/streams';
import { tenant } from '../../domain/identity/tenant/decider';
import { tenantNotBefore } from '../../domain/identity/tenant-security/decider';
import { auditedAggregate, auditedProcess, auditedStreams } from '../kernel/audited-aggregate';

export const context = [
  ...auditedStreams(streams, {
    principal: auditedAggregate(principal),
    session: auditedAggregate(session),
    grant: auditedAggregate(grant),
    client: auditedAggregate(client),
    signingKeys: auditedAggregate(signingKey),
    code: auditedAggregate(code),
    pushed: auditedAggregate(pushedRequest),
    device: auditedAggregate(deviceRequest),
    consent: auditedAggregate(consent),
    authenticators: auditedAggregate(authenticator),
    login: auditedAggregate(identifierClaim),
    passkey: auditedAggregate(identifierClaim),
    upstream: auditedAggregate(identifierClaim),
    signInPolicy: auditedAggregate(signInPolicy),
    credentialPolicy: auditedAggregate(credentialPolicy),
    registrationPolicy: auditedAggregate(registrationPolicy),
    tenant: auditedAggregate(tenant),
    denials: auditedAggregate(denial),
    tenantSecurity: auditedAggregate(tenantNotBefore),
    incident: auditedAggregate(incident),
    issuance: auditedAggregate({ family: issuance, initial: null, evolve: () => null }),
    // Not folded: its state is a long chain of hashes.
    refreshFamily: auditedAggregate({ family: refreshFamilies, initial: null, evolve: () => null }),
  }),
  auditedProcess(containOnFamilyCompromised),
  auditedProcess(endSessionsOnSecurityEpochBumped),
  auditedProcess(notifyOnClientSignedOut),
];
