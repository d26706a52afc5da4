/** How refusals about grants and refresh families look from outside. */
import type { GrantRejection } from '../../../domain/identity/grant/decider';
import type { FamilyRejection } from '../../../domain/identity/refresh-family/decider';
import type { ProblemKind } from '../../../infra/http/problem';

export const grantProblems = {
  'grant-differs': { status: 409, title: 'The grant exists for somebody else' },
  'grant-unknown': { status: 404, title: 'There is no such grant' },
} as const satisfies { readonly [code in GrantRejection]: ProblemKind };

export const familyProblems = {
  'family-differs': { status: 409, title: 'The refresh family exists for another grant' },
  'family-unknown': { status: 404, title: 'There is no such refresh family' },
  'family-over': { status: 409, title: 'The refresh family is over' },
  'family-expired': { status: 409, title: 'The refresh family has expired' },
  'refresh-token-unknown': { status: 404, title: 'There is no such refresh token' },
  'refresh-token-held-by-another': { status: 403, title: 'The refresh token belongs to somebody else' },
} as const satisfies { readonly [code in FamilyRejection]: ProblemKind };
