/** The key of a proof that came with a request which gets no token yet: what follows from the request is bound to it. */
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { JsonAnswer, RouteRequest } from '../../../../infra/http/route';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import { type BindingDeps, resolveSenderConstraint, thumbprintsOf } from './sender-constraint';

export interface ProofKeyRequest {
  readonly request: Pick<RouteRequest<unknown, unknown, unknown>, 'headers' | 'certificate'>;
  readonly client: AuthenticatedClient;
  readonly endpoint: string;
  readonly at: Instant;
}

/** Null: none was sent. A client whose tokens are always bound shows its key at the token endpoint in any case. */
export const readProofKey = async (
  deps: BindingDeps,
  { request: { headers, certificate }, client, endpoint, at }: ProofKeyRequest,
): Promise<Either<JsonAnswer, string | null>> => {
  if (headers.dpop === undefined) return right(null);
  const binding = await resolveSenderConstraint(deps, { client, proof: headers.dpop, certificate, endpoint, at });
  return isLeft(binding) ? binding : right(thumbprintsOf(binding.right).jkt);
};
