/** DPoP key of a request that gets no token yet (PAR, device authorization); later steps are bound to it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { JsonAnswer, RouteRequest } from '../../../../infra/server/http/routing/route';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import { type BindingDeps, resolveSenderConstraint, thumbprintsOf } from './sender-constraint';

export interface ProofKeyRequest {
  readonly request: Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'certificate'>;
  readonly client: AuthenticatedClient;
  readonly endpoint: string;
  readonly at: Instant;
}

/** Null: no proof. Clients whose tokens are always bound must prove their key at the token endpoint. */
export const readProofKey = async (
  deps: BindingDeps,
  { request: { headers, certificate }, client, endpoint, at }: ProofKeyRequest,
): Promise<Either<JsonAnswer, string | null>> => {
  if (headers.dpop === undefined) return right(null);
  const binding = await resolveSenderConstraint(deps, { client, proof: headers.dpop, certificate, endpoint, at });
  return isLeft(binding) ? binding : right(thumbprintsOf(binding.right).jkt);
};
