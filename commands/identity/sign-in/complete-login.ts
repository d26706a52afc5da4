/** Completes sign-in: establishes the session and continues to the requested page. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { PageAnswer } from '../../../infra/server/http/routing/route';
import { onward, problemPageOf } from '../pages/page';
import { type LoadedPerson, loadPolicy } from '../people/load-person';
import { establishSession } from '../sessions/establish-session';
import type { PageRequest, SignInDeps } from './dependencies';

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
  return isLeft(cookies) ? problemPageOf(cookies.left) : onward(proof.continue, cookies.right);
};

export const maySignIn = (loaded: LoadedPerson): loaded is LoadedPerson & { readonly securityEpoch: number } =>
  loaded.securityEpoch !== null;
