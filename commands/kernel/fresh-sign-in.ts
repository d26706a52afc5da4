/** Step-up (RFC 9470): the most harmful requests need a caller who signed in a moment ago. */
import { type TenantActRejection, type TenantActRight, tenantScope } from '../../domain/identity/tenant-act';
import {
  freshAuthenticationProblems,
  isFreshlyAuthenticated,
  requireFreshAuthentication,
} from '../../infra/server/http/identity/fresh-authentication';
import type { Problem, ProblemKind } from '../../infra/server/http/problem';
import type { Identity } from '../../infra/server/http/routing/route';

/** How long ago the sign-in may be. */
const fresh = { maxAgeSeconds: 300, multiFactor: false };
const freshWithFactors = { ...fresh, multiFactor: true };

export const freshProblems = freshAuthenticationProblems(fresh);

export const tenantActProblems = {
  'tenant-scope-missing': { status: 403, title: 'The scope for the whole tenant is missing' },
  ...freshAuthenticationProblems(freshWithFactors),
} as const satisfies { readonly [code in TenantActRejection]: ProblemKind };

/** Undefined: go on. */
export const unlessFresh = (identity: Identity, at: string): Problem | undefined =>
  requireFreshAuthentication(identity, { required: fresh, at });

export const tenantActRight = (identity: Identity, at: string): TenantActRight => {
  if (!identity.scopes.includes(tenantScope)) return 'scope-missing';
  return isFreshlyAuthenticated(identity, { required: freshWithFactors, at }) ? 'granted' : 'sign-in-needed';
};
