/** How each refusal to revoke looks from outside. */
import type { ProblemTable } from '../../../infra/http/problem';

export const revocationProblems = {
  'client-unknown': { status: 404, title: 'There is no such client' },
  'family-unknown': { status: 404, title: 'There is no such refresh family' },
  'grant-unknown': { status: 404, title: 'There is no such grant' },
  'principal-unknown': { status: 404, title: 'There is no such principal' },
  'session-unknown': { status: 404, title: 'There is no such session' },
  'token-unknown': { status: 404, title: 'There is no such token' },
  'too-many-denials': { status: 429, title: 'Too many single tokens are denied' },
} as const satisfies ProblemTable;
