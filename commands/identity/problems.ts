/** Problem tables of the context: rejection code to HTTP status and title. */

import type { ApprovalRejection } from '../../domain/identity/approval/decider';
import type { WaitingApprovalRejection } from '../../domain/identity/approval/waiting-approvals';
import type { AuthenticatorRejection } from '../../domain/identity/authenticators/commands';
import type { ClientRejection } from '../../domain/identity/client/decider';
import type { DelegationRejection } from '../../domain/identity/delegation/decider';
import type { LiveDelegationRejection } from '../../domain/identity/delegation/live-delegations';
import type { DetectionPolicyRejection } from '../../domain/identity/detection/policy/decider';
import type { GrantRejection } from '../../domain/identity/grant/decider';
import type { ClaimRejection } from '../../domain/identity/identifier-claim/decider';
import type { IncidentRejection } from '../../domain/identity/incident/decider';
import type { AccessPolicyRejection } from '../../domain/identity/policy/decider';
import type { PrincipalRejection } from '../../domain/identity/principal/decider';
import type { AudienceClaimRejection } from '../../domain/identity/protected-api/audience-claim';
import type { ProtectedApiRejection } from '../../domain/identity/protected-api/decider';
import type { FamilyRejection } from '../../domain/identity/refresh-family/decider';
import type { RegistrationPolicyRejection } from '../../domain/identity/registration-policy/decider';
import type { SessionRejection } from '../../domain/identity/session/decider';
import type { SignInPolicyRejection } from '../../domain/identity/sign-in-policy/decider';
import type { SigningKeyRejection } from '../../domain/identity/signing-keys/decider';
import type { TenantRejection } from '../../domain/identity/tenant/decider';
import type { TenantActRejection } from '../../domain/identity/tenant-act';
import type { WorkloadTrustRejection } from '../../domain/identity/workload-trust/decider';
import type { KmsRefusal } from '../../infra/ports/kms';
import type { ProblemKind, ProblemTable } from '../../infra/server/http/problem';
import { freshProblems, tenantActProblems } from '../kernel/fresh-sign-in';

export const clientProblems = {
  'client-differs': { status: 409, title: 'A different client has this id' },
  'client-disabled': { status: 409, title: 'The client is disabled' },
  'client-has-no-secrets': { status: 409, title: 'The client does not authenticate with a secret' },
  'client-metadata-invalid': { status: 422, title: 'The registration is inconsistent' },
  'client-secret-differs': { status: 409, title: 'The secret exists with another value' },
  'client-secret-unknown': { status: 404, title: 'There is no such secret' },
  'client-unknown': { status: 404, title: 'There is no such client' },
  'first-party-not-held': { status: 403, title: 'Only operators of the platform register first-party clients' },
  'redirect-uri-invalid': { status: 422, title: 'A redirect address cannot be accepted' },
  'scope-not-held': { status: 403, title: 'The caller does not have the scope' },
  'too-many-client-secrets': { status: 409, title: 'The client has too many secrets' },
} as const satisfies { readonly [code in ClientRejection]: ProblemKind };

export const grantProblems = {
  'grant-differs': { status: 409, title: 'The grant belongs to another principal' },
  'grant-unknown': { status: 404, title: 'There is no such grant' },
} as const satisfies { readonly [code in GrantRejection]: ProblemKind };

export const delegationProblems = {
  'agent-not-active': { status: 409, title: 'The agent is not active' },
  'agent-unknown': { status: 422, title: 'There is no such agent' },
  'audience-not-held': { status: 403, title: 'The caller may get no tokens for the audience' },
  'delegation-differs': { status: 409, title: 'Another delegation has this id' },
  'delegation-scopes-invalid': { status: 422, title: 'The scopes cannot be delegated' },
  'delegation-too-deep': { status: 409, title: 'The task was passed on too often' },
  'delegation-unknown': { status: 404, title: 'There is no such delegation' },
  'delegator-signed-out': { status: 409, title: 'The sign-in of the caller has ended' },
  'scope-not-held': { status: 403, title: 'The caller does not have the scope' },
} as const satisfies { readonly [code in DelegationRejection]: ProblemKind };

export const detectionProblems = {
  'runtime-repeated': { status: 422, title: 'A workload or cluster is named twice' },
  'threshold-too-high': { status: 422, title: 'The threshold is too high for the rule' },
  'too-many-runtimes': { status: 409, title: 'Too many principals have expected runtimes' },
} as const satisfies { readonly [code in DetectionPolicyRejection]: ProblemKind };

export const incidentProblems = {
  'authentication-not-fresh': { status: 403, title: 'The authentication is not fresh' },
  'incident-differs': { status: 409, title: 'Another incident has this id' },
  'incident-not-contained': { status: 409, title: 'The incident is being contained' },
  'incident-of-another': { status: 403, title: 'The incident is of another principal' },
  'incident-unknown': { status: 404, title: 'There is no such incident' },
  'revoked-too-often': { status: 409, title: 'All tokens were ended too often within the hour' },
  'step-out-of-order': { status: 409, title: 'Another step comes first' },
} as const satisfies { readonly [code in IncidentRejection | 'revoked-too-often']: ProblemKind };

export const approvalProblems = {
  'action-differs': { status: 409, title: 'The request is for another action' },
  'agents-only': { status: 403, title: 'Only agents ask for approvals' },
  'approval-decided': { status: 409, title: 'The request was decided already' },
  'approval-differs': { status: 409, title: 'Another approval has this id' },
  'approval-expired': { status: 409, title: 'The request has expired' },
  'approval-pending': { status: 409, title: 'No person has decided yet' },
  'approval-unknown': { status: 404, title: 'There is no such approval' },
  'approver-involved': { status: 403, title: 'Another person has to approve this' },
  'approver-not-a-person': { status: 403, title: 'Only a person approves' },
  'capability-invalid': { status: 403, title: 'The capability is not valid for this request' },
  'capability-spent': { status: 403, title: 'The capability was used already' },
  'insufficient-user-authentication': freshProblems['insufficient-user-authentication'],
  'scope-not-held': { status: 403, title: 'The caller does not have the scope' },
} as const satisfies { readonly [code in ApprovalRejection]: ProblemKind };

export const waitingApprovalProblems = {
  'too-many-approvals': { status: 409, title: 'Too many requests of the agent wait for a person' },
} as const satisfies { readonly [code in WaitingApprovalRejection]: ProblemKind };

export const actionProblems = {
  'action-not-approvable': { status: 422, title: 'The action cannot be approved' },
  'action-unknown': { status: 422, title: 'There is no such action' },
} as const satisfies { readonly [code: string]: ProblemKind };

export const accessPolicyProblems = {
  'own-policy-access': { status: 409, title: 'The caller would lose the policy' },
  'policy-invalid': { status: 422, title: 'The document is not a policy' },
  'policy-version-exists': { status: 409, title: 'The version is another document' },
  'policy-version-not-next': { status: 409, title: 'Another version is the next one' },
  'policy-version-unknown': { status: 404, title: 'There is no such version' },
  'too-many-policy-versions': { status: 409, title: 'The policy has too many versions' },
} as const satisfies { readonly [code in AccessPolicyRejection]: ProblemKind };

export const liveDelegationProblems = {
  'too-many-delegations': { status: 409, title: 'There are too many live delegations' },
} as const satisfies { readonly [code in LiveDelegationRejection]: ProblemKind };

export const familyProblems = {
  'family-differs': { status: 409, title: 'The refresh token family belongs to another grant' },
  'family-unknown': { status: 404, title: 'There is no such refresh token family' },
  'family-over': { status: 409, title: 'The refresh token family has ended' },
  'family-expired': { status: 409, title: 'The refresh token family has expired' },
  'refresh-token-unknown': { status: 404, title: 'There is no such refresh token' },
  'refresh-token-held-by-another': { status: 403, title: 'The refresh token belongs to another client or key' },
} as const satisfies { readonly [code in FamilyRejection]: ProblemKind };

export const keyProblems = {
  'algorithm-unsupported': { status: 422, title: 'The keystore cannot make keys for this algorithm' },
  'key-spent': { status: 409, title: 'The key is retired or revoked' },
  'key-too-new': { status: 409, title: 'The key may not be known to all verifiers yet' },
  'key-unknown': { status: 404, title: 'There is no such signing key' },
  'replacement-missing': { status: 409, title: 'The key became active' },
  'replacement-of-another-use': { status: 409, title: 'The key signs other tokens' },
  'rotation-under-way': { status: 409, title: 'Another key is about to sign' },
  'successor-missing': { status: 409, title: 'There is no key to sign in its place' },
} as const satisfies { readonly [code in SigningKeyRejection | KmsRefusal['code']]: ProblemKind };

export const principalProblems = {
  'already-bootstrapped': { status: 409, title: 'The one-time sign-in code was already used' },
  'credential-differs': { status: 409, title: 'The credential exists with another secret' },
  'credential-forbidden': { status: 403, title: 'The tenant allows no such credential' },
  'credential-of-another': { status: 403, title: 'The credential would belong to another person' },
  'credential-too-long': { status: 422, title: 'The credential would last too long' },
  'credential-unknown': { status: 404, title: 'There is no such credential' },
  'own-authority': { status: 409, title: 'A principal cannot change its own authority' },
  'principal-compromised': { status: 409, title: 'The principal is compromised' },
  'principal-differs': { status: 409, title: 'The principal exists with another type' },
  'principal-suspended': { status: 409, title: 'The principal is suspended' },
  'principal-unknown': { status: 404, title: 'There is no such principal' },
  'role-for-people': { status: 422, title: 'Roles are for people' },
  'scope-not-held': { status: 403, title: 'The caller does not have the scope' },
  'scopes-missing': { status: 422, title: 'A credential needs a scope' },
  'service-principal-human': { status: 422, title: 'An application cannot act as a person' },
  'too-many-credentials': { status: 409, title: 'The principal has too many credentials' },
  'trust-rule-of-a-person': { status: 422, title: 'A workload cannot act as a person' },
} as const satisfies { readonly [code in PrincipalRejection]: ProblemKind };

export const administratorRecoveryProblems = {
  ...incidentProblems,
  ...grantProblems,
  ...familyProblems,
  'incident-recovered': { status: 409, title: 'The incident has been recovered from' },
  'own-authority': principalProblems['own-authority'],
  'principal-suspended': principalProblems['principal-suspended'],
  'principal-unknown': principalProblems['principal-unknown'],
  'recovers-by-sign-in': { status: 409, title: 'A person recovers by signing in' },
  'scope-not-held': principalProblems['scope-not-held'],
} as const satisfies ProblemTable;

export const registrationPolicyProblems = {
  'registration-policy-invalid': { status: 422, title: 'The registration policy is not valid' },
  'scope-not-held': { status: 403, title: 'The caller does not have the scope' },
} as const satisfies { readonly [code in RegistrationPolicyRejection]: ProblemKind };

export const workloadTrustProblems = {
  'scope-not-held': principalProblems['scope-not-held'],
  'too-many-trust-rules': { status: 409, title: 'The tenant has too many trust rules' },
  'too-many-workload-issuers': { status: 409, title: 'The tenant trusts too many issuers' },
  'trust-rule-differs': { status: 409, title: 'A different rule has this id' },
  'trust-rule-invalid': { status: 422, title: 'The rule is not valid' },
  'trust-rule-too-wide': { status: 422, title: 'The rule would answer workloads of others' },
  'trust-rule-unknown': { status: 404, title: 'There is no such rule' },
  'workload-issuer-differs': { status: 409, title: 'The issuer is another one' },
  'workload-issuer-exists': { status: 409, title: 'The issuer is trusted already' },
  'workload-issuer-invalid': { status: 422, title: 'The issuer is not valid' },
  'workload-issuer-unknown': { status: 404, title: 'There is no such issuer' },
} as const satisfies { readonly [code in WorkloadTrustRejection]: ProblemKind };

export const protectedApiProblems = {
  'api-audience-invalid': { status: 422, title: 'The audience is not valid' },
  'api-differs': { status: 409, title: 'A different API has this id' },
  'api-exists': { status: 409, title: 'The API is registered already' },
  'api-scope-taken': { status: 409, title: 'A scope is of another API' },
  'api-scopes-invalid': { status: 422, title: 'The scopes are not valid' },
  'api-unknown': { status: 404, title: 'There is no such API' },
  'audience-taken': { status: 409, title: 'The audience is taken' },
  'tool-scopes-invalid': { status: 422, title: 'The tool has scopes that are not of its API' },
  'tool-unknown': { status: 404, title: 'There is no such tool' },
  'too-many-apis': { status: 409, title: 'The tenant has too many APIs' },
  'too-many-tools': { status: 409, title: 'The API has too many tools' },
} as const satisfies { readonly [code in ProtectedApiRejection | AudienceClaimRejection]: ProblemKind };

export const tenantProblems = {
  'tenant-exists': { status: 409, title: 'The tenant exists' },
  'tenant-reserved': { status: 422, title: 'The tenant id is reserved' },
} as const satisfies { readonly [code in TenantRejection]: ProblemKind };

export const bootstrapProblems = {
  'bootstrap-code-wrong': { status: 403, title: 'The sign-in code is wrong' },
} as const;

export const revocationProblems = {
  ...tenantActProblems,
  'client-unknown': { status: 404, title: 'There is no such client' },
  'family-unknown': { status: 404, title: 'There is no such refresh token family' },
  'grant-unknown': { status: 404, title: 'There is no such grant' },
  'principal-unknown': { status: 404, title: 'There is no such principal' },
  'session-unknown': { status: 404, title: 'There is no such session' },
  'token-unknown': { status: 404, title: 'There is no such token' },
  'too-many-denials': { status: 409, title: 'Too many single tokens are denied' },
} as const satisfies ProblemTable;

export const sessionProblems = {
  'session-unknown': { status: 404, title: 'There is no such session' },
  'session-full': { status: 409, title: 'The session has too many applications' },
  'session-over': { status: 409, title: 'The session has ended' },
  'session-differs': { status: 409, title: 'A different session has this id' },
} as const satisfies { readonly [code in SessionRejection]: ProblemKind };

type PeopleRejection =
  | AuthenticatorRejection
  | ClaimRejection
  | Exclude<SignInPolicyRejection, TenantActRejection>
  | 'password-weak'
  | 'not-a-person';

export const peopleProblems = {
  'identifier-taken': { status: 409, title: 'Another principal already has this identifier' },
  'enrolment-spent': { status: 409, title: 'The link was used or has expired' },
  'passkey-known': { status: 409, title: 'The passkey is already registered' },
  'passkey-unknown': { status: 404, title: 'There is no such passkey' },
  'passkey-copied': { status: 403, title: 'The passkey was copied' },
  'too-many-passkeys': { status: 409, title: 'There are too many passkeys' },
  'last-way-in': { status: 409, title: 'It is the only way to sign in' },
  'authenticator-app-missing': { status: 409, title: 'There is no authenticator app' },
  'recovery-code-unknown': { status: 403, title: 'The recovery code is not valid' },
  'password-weak': { status: 422, title: 'The password is too easy to guess' },
  'provider-twice': { status: 422, title: 'A provider is named twice' },
  'no-way-in': { status: 422, title: 'No sign-in method would be left' },
  'own-way-in': { status: 409, title: 'You could not sign in again' },
  'removal-unconfirmed': { status: 409, title: 'People may be unable to sign in' },
  'not-a-person': { status: 409, title: 'The principal is not a person' },
} as const satisfies { readonly [code in PeopleRejection]: ProblemKind };
