/** How refusals around people and their ways to sign in look from outside. */
import type { AuthenticatorRejection } from '../../../domain/identity/authenticators/commands';
import type { ClaimRejection } from '../../../domain/identity/login/decider';
import type { SignInPolicyRejection } from '../../../domain/identity/sign-in-policy/decider';
import type { TenantActRejection } from '../../../domain/identity/tenant-act';
import type { ProblemKind } from '../../../infra/http/problem';

type Code =
  | AuthenticatorRejection
  | ClaimRejection
  | Exclude<SignInPolicyRejection, TenantActRejection>
  | 'password-weak'
  | 'not-a-person';

export const peopleProblems = {
  'identifier-taken': { status: 409, title: 'It belongs to somebody else' },
  'enrolment-spent': { status: 409, title: 'The link is spent' },
  'passkey-known': { status: 409, title: 'The passkey is known' },
  'passkey-unknown': { status: 404, title: 'There is no such passkey' },
  'passkey-copied': { status: 403, title: 'The passkey was copied' },
  'too-many-passkeys': { status: 409, title: 'There are too many passkeys' },
  'last-way-in': { status: 409, title: 'It is the only way to sign in' },
  'authenticator-app-missing': { status: 409, title: 'There is no authenticator app' },
  'recovery-code-unknown': { status: 403, title: 'The recovery code is not valid' },
  'password-weak': { status: 422, title: 'The password is too easy to guess' },
  'provider-twice': { status: 422, title: 'A provider is named twice' },
  'no-way-in': { status: 422, title: 'Nobody could sign in' },
  'not-a-person': { status: 409, title: 'The principal is not a person' },
} as const satisfies { readonly [code in Code]: ProblemKind };
