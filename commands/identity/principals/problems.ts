/** How each refusal of this context looks from outside. */
import type { PrincipalRejection } from '../../../domain/identity/principal/decider';
import type { ProblemKind } from '../../../infra/http/problem';

export const principalProblems = {
  'already-bootstrapped': { status: 409, title: 'The one-time sign-in is spent' },
  'credential-differs': { status: 409, title: 'The credential exists with another secret' },
  'credential-forbidden': { status: 403, title: 'The tenant allows no such credential' },
  'credential-of-another': { status: 403, title: 'The credential would be another person' },
  'credential-too-long': { status: 422, title: 'The credential would last too long' },
  'credential-unknown': { status: 404, title: 'There is no such credential' },
  'own-authority': { status: 409, title: 'Nobody changes their own authority' },
  'principal-compromised': { status: 409, title: 'The principal is compromised' },
  'principal-differs': { status: 409, title: 'The principal exists with another type' },
  'principal-suspended': { status: 409, title: 'The principal is suspended' },
  'principal-unknown': { status: 404, title: 'There is no such principal' },
  'role-for-people': { status: 422, title: 'Roles are for people' },
  'scope-not-held': { status: 403, title: 'The caller does not hold the scope' },
  'scopes-missing': { status: 422, title: 'A credential needs a scope' },
  'too-many-credentials': { status: 409, title: 'The principal has too many credentials' },
} as const satisfies { readonly [code in PrincipalRejection]: ProblemKind };

export const bootstrapProblems = {
  'bootstrap-code-wrong': { status: 403, title: 'The sign-in code is wrong' },
} as const;
