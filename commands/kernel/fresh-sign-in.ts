/** Step-up (RFC 9470): the most harmful requests need a caller who signed in a moment ago. */
import { type TenantActRejection, type TenantActRight, tenantScope } from '../../domain/identity/tenant-act';
import { type Problem, type ProblemKind, problemOf } from '../../infra/server/http/problem';
import type { Identity } from '../../infra/server/http/routing/route';

/** How long ago the sign-in may be. */
const freshSeconds = 300;

const challenge = (acr?: '2'): string => {
  const description = `Sign in again: this needs a sign-in within the last ${freshSeconds / 60} minutes.`;
  const wanted = acr === undefined ? '' : `, acr_values="${acr}"`;
  return `Bearer error="insufficient_user_authentication", error_description="${description}", max_age="${freshSeconds}"${wanted}`;
};

const tooLongAgo = { status: 401, title: 'The sign-in was too long ago' } as const;

export const freshProblems = {
  'insufficient-user-authentication': { ...tooLongAgo, headers: { 'WWW-Authenticate': challenge() } },
} as const;

export const tenantActProblems = {
  'tenant-scope-missing': { status: 403, title: 'The scope for the whole tenant is missing' },
  'insufficient-user-authentication': {
    status: 401,
    title: 'The sign-in was too long ago, or without a second factor',
    headers: { 'WWW-Authenticate': challenge('2') },
  },
} as const satisfies { readonly [code in TenantActRejection]: ProblemKind };

/** A token that a credential was exchanged for carries no sign-in. */
const isFresh = ({ authenticatedAt }: Identity, at: string): boolean =>
  authenticatedAt !== undefined && Date.parse(at) - authenticatedAt <= freshSeconds * 1_000;

/** Undefined: go on. */
export const unlessFresh = (identity: Identity, at: string): Problem | undefined => {
  if (isFresh(identity, at)) return undefined;
  const detail = `This needs a sign-in within the last ${freshSeconds / 60} minutes. Sign in again.`;
  return problemOf({ kind: 'rejection', code: 'insufficient-user-authentication', detail }, freshProblems);
};

export const tenantActRight = (identity: Identity, at: string): TenantActRight => {
  if (!identity.scopes.includes(tenantScope)) return 'scope-missing';
  return isFresh(identity, at) && identity.multiFactor === true ? 'granted' : 'sign-in-needed';
};
