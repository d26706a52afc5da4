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
import { tenant } from '../../domain/identity/tenant/decider';
import { tenantNotBefore } from '../../domain/identity/tenant-security/decider';
import { type AuditedAggregate, auditedAggregate } from '../kernel/audited-aggregate';

export const context: readonly AuditedAggregate[] = [
  auditedAggregate({ ...principal, aggregate: 'principal' }),
  auditedAggregate({ ...session, aggregate: 'session' }),
  auditedAggregate({ ...grant, aggregate: 'grant' }),
  auditedAggregate({ ...client, aggregate: 'client' }),
  auditedAggregate({ ...signingKey, aggregate: 'signingKeys' }),
  auditedAggregate({ ...code, aggregate: 'code' }),
  auditedAggregate({ ...pushedRequest, aggregate: 'pushed' }),
  auditedAggregate({ ...deviceRequest, aggregate: 'device' }),
  auditedAggregate({ ...consent, aggregate: 'consent' }),
  auditedAggregate({ ...authenticator, aggregate: 'authenticators' }),
  auditedAggregate({ ...identifierClaim, aggregate: 'login' }),
  auditedAggregate({ ...identifierClaim, aggregate: 'passkey' }),
  auditedAggregate({ ...identifierClaim, aggregate: 'upstream' }),
  auditedAggregate({ ...signInPolicy, aggregate: 'signInPolicy' }),
  auditedAggregate({ ...credentialPolicy, aggregate: 'credentialPolicy' }),
  auditedAggregate({ ...tenant, aggregate: 'tenant' }),
  auditedAggregate({ ...denial, aggregate: 'denials' }),
  auditedAggregate({ ...tenantNotBefore, aggregate: 'tenantSecurity' }),
  auditedAggregate({ ...incident, aggregate: 'incident' }),
  auditedAggregate({ family: issuance, aggregate: 'issuance', initial: null, evolve: () => null }),
  // Not folded: its state is a long chain of hashes.
  auditedAggregate({ family: refreshFamilies, aggregate: 'refreshFamily', initial: null, evolve: () => null }),
];
