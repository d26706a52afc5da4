/** A person has proved who they are: their session begins, and they go on to where they were going. */
import { isLeft } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { PageAnswer } from '../../../infra/http/route';
import { onward } from '../pages/page';
import { problemPageOf } from '../pages/problem-page';
import { establish } from '../sessions/establish';
import type { Arrived, PeopleDeps } from './deps';
import { type Known, loadPolicy } from './person';

export interface Proof {
  readonly methods: readonly string[];
  readonly upstreamIssuer?: string;
  readonly continue: string;
  /** Now, where nothing is said. */
  readonly provenAt?: Instant;
}

/** `securityEpoch` is there: whoever may not sign in never comes here. */
export const finish = async (
  deps: PeopleDeps,
  arrived: Arrived,
  [known, proof]: readonly [Known & { readonly securityEpoch: number }, Proof],
): Promise<PageAnswer> => {
  const { tenantId, principalId, securityEpoch } = known;
  const policy = await loadPolicy(deps, tenantId);
  if (isLeft(policy)) return problemPageOf(policy.left);
  const proven = {
    ...{ tenantId, principalId, securityEpoch, methods: proof.methods },
    upstreamIssuer: proof.upstreamIssuer ?? null,
    provenAt: proof.provenAt ?? deps.clock.now(),
    sessionSeconds: policy.right.rules.sessionSeconds,
  };
  const cookies = await establish(deps, proven, arrived);
  return isLeft(cookies) ? problemPageOf(cookies.left) : onward(proof.continue, cookies.right);
};

export const maySignIn = (known: Known): known is Known & { readonly securityEpoch: number } =>
  known.securityEpoch !== null;
