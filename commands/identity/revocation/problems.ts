/** How each refusal to revoke looks from outside. */
import type { ProblemTable } from '../../../infra/http/problem';
import { tenantActProblems } from '../../kernel/fresh-sign-in';

export const revocationProblems = {
  ...tenantActProblems,
  'client-unknown': { status: 404, title: 'There is no such client' },
  'family-unknown': { status: 404, title: 'There is no such refresh family' },
  'grant-unknown': { status: 404, title: 'There is no such grant' },
  'principal-unknown': { status: 404, title: 'There is no such principal' },
  'revoked-too-often': { status: 429, title: 'All tokens were ended too often', headers: { 'Retry-After': '3600' } },
  'session-unknown': { status: 404, title: 'There is no such session' },
  'token-unknown': { status: 404, title: 'There is no such token' },
  'too-many-denials': { status: 429, title: 'Too many single tokens are denied' },
} as const satisfies ProblemTable;
