/** Completes sign-in: establishes the session and continues to the requested page. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import { problemOf } from '../../../infra/server/http/problem';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { onward, problemPageOf } from '../pages/page';
import { type LoadedPerson, loadPolicy } from '../people/load-person';
import { loadPrincipal, mayUseConsole } from '../principals/load-principal';
import { establishSession } from '../sessions/establish-session';
import type { PageRequest, SignInDeps } from './dependencies';
import { defaultContinuePath } from './login-request';

export interface AuthenticationResult {
  readonly methods: readonly string[];
  readonly upstreamIssuer?: string;
  readonly continue: string;
  /** Default: now. */
  readonly provenAt?: Instant;
}

/** `securityEpoch` is present: callers checked that sign-in is allowed. */
export const completeLogin = async (
  deps: SignInDeps,
  pageRequest: PageRequest,
  {
    loaded,
    proof,
  }: { readonly loaded: LoadedPerson & { readonly securityEpoch: number }; readonly proof: AuthenticationResult },
): Promise<PageAnswer> => {
  const { tenantId, principalId, securityEpoch } = loaded;
  const policy = await loadPolicy(deps, tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const proven = {
    tenantId,
    principalId,
    securityEpoch,
    methods: proof.methods,
    upstreamIssuer: proof.upstreamIssuer ?? null,
    provenAt: proof.provenAt ?? deps.clock.now(),
    sessionSeconds: policy.right.rules.sessionSeconds,
  };
  const cookies = await establishSession(deps, proven, pageRequest);
  if (isLeft(cookies)) return problemPageOf(cookies.left);
  if (proof.continue !== defaultContinuePath) return onward(proof.continue, cookies.right);
  // The console would issue a token before it finds that the person has no rights in it.
  const principal = await loadPrincipal(deps, loaded);
  if (isLeft(principal)) return problemPageOf(problemOf(principal.left, {}));
  return onward(mayUseConsole(principal.right) ? proof.continue : '/account', cookies.right);
};

export const maySignIn = (loaded: LoadedPerson): loaded is LoadedPerson & { readonly securityEpoch: number } =>
  loaded.securityEpoch !== null;
