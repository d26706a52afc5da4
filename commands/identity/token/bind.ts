/** What the tokens of a request are bound to: the key of its proof, or the certificate that it came with. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../domain/kernel/codec';
import type { JsonAnswer } from '../../../infra/http/route';
import {
  type ClientCertificate,
  type ProofRefusal,
  type ProofRules,
  verifyProof,
} from '../../../packages/resource-server/src/verification/index';
import type { Binding } from './binding';
import type { AuthenticatedClient } from './client';
import { oauthError, refuse } from './oauth-error';

export interface BindingDeps {
  readonly proofs: ProofRules;
}

export interface Held {
  readonly client: AuthenticatedClient;
  /** The `DPoP` header. */
  readonly proof: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly endpoint: string;
  readonly at: Instant;
}

const refusals: { readonly [kind in ProofRefusal['kind']]: JsonAnswer } = {
  invalid: oauthError('invalid_dpop_proof', 'The DPoP proof is not valid.'),
  'other-key': oauthError('invalid_dpop_proof', 'The DPoP proof is of another key.'),
  'nonce-wanted': oauthError('use_dpop_nonce', 'The DPoP proof needs the nonce that this answer gives.'),
  unavailable: oauthError('temporarily_unavailable', 'Whether the proof was used before cannot be known right now.'),
};

/** Whoever shows proofs is told the nonce of the next one with each answer (RFC 9449 section 8.2). */
export const withNonce = (answer: JsonAnswer, { proofs: { nonces } }: BindingDeps, now: number): JsonAnswer =>
  nonces === undefined ? answer : { ...answer, headers: { ...answer.headers, 'DPoP-Nonce': nonces.current(now) } };

const byProof = async (
  { proofs }: BindingDeps,
  { proof, endpoint, at }: Held,
): Promise<Either<JsonAnswer, Binding>> => {
  const now = Date.parse(at);
  const proved = await verifyProof(proofs, { proof, method: 'POST', url: endpoint, now });
  if (isLeft(proved)) return left(withNonce(refusals[proved.left.kind], { proofs }, now));
  return right({ kind: 'dpop', jkt: proved.right.jkt });
};

const always = (client: AuthenticatedClient) =>
  client.kind === 'application'
    ? client.application
    : { dpopBound: false, certificateBound: false, authentication: 'client_secret_basic' as const };

export const bindingOf = async (deps: BindingDeps, held: Held): Promise<Either<JsonAnswer, Binding | null>> => {
  const { dpopBound, certificateBound, authentication } = always(held.client);
  // A key that anybody can make would stand in for the certificate.
  if (held.proof !== undefined && certificateBound)
    return refuse('invalid_request', 'Tokens of this client are bound to its certificate: send no DPoP proof.');
  if (held.proof !== undefined) return byProof(deps, held);
  if (dpopBound) return refuse('invalid_dpop_proof', 'Tokens of this client are bound to a key: send a DPoP proof.');
  const byCertificate = certificateBound || authentication.includes('tls_client_auth');
  if (!byCertificate) return right(null);
  if (held.certificate === undefined)
    return refuse('invalid_request', 'Tokens of this client are bound to its certificate: come with it.');
  return right({ kind: 'tls', x5t: held.certificate.thumbprint });
};
