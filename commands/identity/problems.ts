/** Problem tables of the context: rejection code to HTTP status and title. */

import type { AuthenticatorRejection } from '../../domain/identity/authenticators/commands';
import type { ClientRejection } from '../../domain/identity/client/decider';
import type { GrantRejection } from '../../domain/identity/grant/decider';
import type { ClaimRejection } from '../../domain/identity/identifier-claim/decider';
import type { PrincipalRejection } from '../../domain/identity/principal/decider';
import type { FamilyRejection } from '../../domain/identity/refresh-family/decider';
import type { RegistrationPolicyRejection } from '../../domain/identity/registration-policy/decider';
import type { SessionRejection } from '../../domain/identity/session/decider';
import type { SignInPolicyRejection } from '../../domain/identity/sign-in-policy/decider';
import type { SigningKeyRejection } from '../../domain/identity/signing-keys/decider';
import type { TenantRejection } from '../../domain/identity/tenant/decider';
import type { TenantActRejection } from '../../domain/identity/tenant-act';
import type { KmsRefusal } from '../../infra/ports/kms';
import type { ProblemKind, ProblemTable } from '../../infra/server/http/problem';
import { tenantActProblems } from '../kernel/fresh-sign-in';

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
} as const satisfies { readonly [code in PrincipalRejection]: ProblemKind };

export const registrationPolicyProblems = {
  'registration-policy-invalid': { status: 422, title: 'The registration policy is not valid' },
} as const satisfies { readonly [code in RegistrationPolicyRejection]: ProblemKind };

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
