/** Whose account a token may manage: everyone's, its own, or none. */
import { isLeft } from 'fp-ts/Either';
import { grantedScopes, missingScopes } from '../../../domain/identity/scopes';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { type Problem, problemOf } from '../../../infra/server/http/problem';
import type { Identity } from '../../../infra/server/http/routing/route';
import type { HandleDeps } from '../../kernel/handle-request';
import { loadPrincipal } from '../principals/load-principal';
import { principalProblems } from '../problems';

/** For sessions and grants: an application needs the person's consent to manage the account. */
export const accessLevelOf = ({ scopes }: Identity, fullScope: string): 'all' | 'own' | 'none' => {
  if (scopes.includes(fullScope)) return 'all';
  return scopes.includes('account:write') ? 'own' : 'none';
};

interface AccountOwner {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
}

/** Changing a person's authenticators allows impersonating them, so the caller needs all of their authority. Undefined: allowed. */
export const checkAuthority = async (
  deps: HandleDeps,
  account: AccountOwner,
  { scopes: callerScopes }: Identity,
): Promise<Problem | undefined> => {
  const principal = await loadPrincipal(deps, account);
  if (isLeft(principal)) return problemOf(principal.left, {});
  if (principal.right.kind !== 'registered')
    return problemOf(
      { kind: 'rejection', code: 'principal-unknown', detail: 'There is no such principal.' },
      principalProblems,
    );
  const { roles, scopes } = principal.right;
  if (missingScopes(grantedScopes(roles, scopes), callerScopes).length === 0) return undefined;
  const detail = 'The caller needs all of the authority of the person.';
  return problemOf({ kind: 'rejection', code: 'scope-not-held', detail }, principalProblems);
};
