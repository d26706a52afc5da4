/** Aggregates of identity for audits and the log explorer. */
import { authenticator } from '../../domain/identity/authenticators/decider';
import { code } from '../../domain/identity/authorization-code/decider';
import { client } from '../../domain/identity/client/decider';
import { consent } from '../../domain/identity/consent/decider';
import { credentialPolicy } from '../../domain/identity/credential-policy/decider';
import { denial } from '../../domain/identity/denylist/decider';
import { deviceRequest } from '../../domain/identity/device-authorization/decider';
import { grant } from '../../domain/identity/grant/decider';
import { identifierClaim } from '../../domain/identity/identifier-claim/decider';
import { incident } from '../../domain/identity/incident/decider';
import { issuance } from '../../domain/identity/issuance/events';
import { principal } from '../../domain/identity/principal/decider';
import { pushedRequest } from '../../domain/identity/pushed-request/decider';
import { refreshFamilies } from '../../domain/identity/refresh-family/events';
import { session } from '../../domain/identity/session/decider';
import { signInPolicy } from '../../domain/identity/sign-in-policy/decider';
import { signingKey } from '../../domain/identity/signing-keys/decider';
import { tenantNotBefore } from '../../domain/identity/tenant-security/decider';
import { type Audited, audited } from '../kernel/audited';

export const context: readonly Audited[] = [
  audited({ ...principal, aggregate: 'principal' }),
  audited({ ...session, aggregate: 'session' }),
  audited({ ...grant, aggregate: 'grant' }),
  audited({ ...client, aggregate: 'client' }),
  audited({ ...signingKey, aggregate: 'signingKeys' }),
  audited({ ...code, aggregate: 'code' }),
  audited({ ...pushedRequest, aggregate: 'pushed' }),
  audited({ ...deviceRequest, aggregate: 'device' }),
  audited({ ...consent, aggregate: 'consent' }),
  audited({ ...authenticator, aggregate: 'authenticators' }),
  audited({ ...identifierClaim, aggregate: 'login' }),
  audited({ ...identifierClaim, aggregate: 'passkey' }),
  audited({ ...identifierClaim, aggregate: 'upstream' }),
  audited({ ...signInPolicy, aggregate: 'signInPolicy' }),
  audited({ ...credentialPolicy, aggregate: 'credentialPolicy' }),
  audited({ ...denial, aggregate: 'denials' }),
  audited({ ...tenantNotBefore, aggregate: 'tenantSecurity' }),
  audited({ ...incident, aggregate: 'incident' }),
  audited({ family: issuance, aggregate: 'issuance', initial: null, evolve: () => null }),
  // Not folded: its state is a long chain of hashes.
  audited({ family: refreshFamilies, aggregate: 'refreshFamily', initial: null, evolve: () => null }),
];
