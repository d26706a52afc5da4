import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Instant } from '../../../../domain/kernel/codec';
import type { JsonAnswer } from '../../../../infra/server/http/routing/route';
import {
  type ClientCertificate,
  type DpopError,
  type DpopOptions,
  verifyProof,
} from '../../../../packages/resource-server/src/verification/index';
import type { AuthenticatedClient } from '../client-authentication/authenticated-client';
import { oauthError, oauthFailure } from './oauth-error';

/** Sender constraint of new tokens: a DPoP key (RFC 9449) or a client certificate (RFC 8705). */
export type SenderConstraint =
  | { readonly kind: 'dpop'; readonly jkt: string }
  | { readonly kind: 'tls'; readonly x5t: string };

export type Confirmation = { readonly jkt: string } | { readonly 'x5t#S256': string };

export const confirmationOf = (binding: SenderConstraint): Confirmation =>
  binding.kind === 'dpop' ? { jkt: binding.jkt } : { 'x5t#S256': binding.x5t };

/** The form in events. */
export const thumbprintsOf = (binding: SenderConstraint | null) => ({
  jkt: binding?.kind === 'dpop' ? binding.jkt : null,
  x5t: binding?.kind === 'tls' ? binding.x5t : null,
});

/** RFC 9449 section 5; certificate-bound tokens have the type Bearer. */
export const tokenTypeOf = (binding: SenderConstraint | null): 'Bearer' | 'DPoP' =>
  binding?.kind === 'dpop' ? 'DPoP' : 'Bearer';

export interface BindingDeps {
  readonly proofs: DpopOptions;
}

export interface SenderConstraintRequest {
  readonly client: AuthenticatedClient;
  /** The `DPoP` header. */
  readonly proof: string | undefined;
  readonly certificate: ClientCertificate | undefined;
  readonly endpoint: string;
  readonly at: Instant;
}

const proofErrors: { readonly [kind in DpopError['kind']]: JsonAnswer } = {
  invalid: oauthError('invalid_dpop_proof', 'The DPoP proof is not valid.'),
  'other-key': oauthError('invalid_dpop_proof', 'The DPoP proof was signed with another key.'),
  'nonce-wanted': oauthError(
    'use_dpop_nonce',
    'The DPoP proof must contain the nonce in the DPoP-Nonce header of this answer.',
  ),
  unavailable: oauthError('temporarily_unavailable', 'The proof cannot be checked for replay right now.'),
};

/** Sends the next DPoP nonce with each response (RFC 9449 section 8.2). */
export const withNonce = (answer: JsonAnswer, { proofs: { nonces } }: BindingDeps, now: number): JsonAnswer =>
  nonces === undefined ? answer : { ...answer, headers: { ...answer.headers, 'DPoP-Nonce': nonces.current(now) } };

const constraintFromProof = async (
  { proofs }: BindingDeps,
  { proof, endpoint, at }: Pick<SenderConstraintRequest, 'proof' | 'endpoint' | 'at'>,
): Promise<Either<JsonAnswer, SenderConstraint>> => {
  const now = Date.parse(at);
  const proved = await verifyProof(proofs, { proof, method: 'POST', url: endpoint, now });
  if (isLeft(proved)) return left(withNonce(proofErrors[proved.left.kind], { proofs }, now));
  return right({ kind: 'dpop', jkt: proved.right.jkt });
};

const requiredConstraint = (client: AuthenticatedClient) =>
  client.kind === 'application'
    ? client.application
    : { dpopBound: false, certificateBound: false, authentication: 'client_secret_basic' as const };

export const resolveSenderConstraint = async (
  deps: BindingDeps,
  request: SenderConstraintRequest,
): Promise<Either<JsonAnswer, SenderConstraint | null>> => {
  const { dpopBound, certificateBound, authentication } = requiredConstraint(request.client);
  // A DPoP key must not replace the required certificate.
  if (request.proof !== undefined && certificateBound)
    return oauthFailure('invalid_request', 'Tokens of this client are bound to its certificate: send no DPoP proof.');
  if (request.proof !== undefined) return constraintFromProof(deps, request);
  if (dpopBound)
    return oauthFailure('invalid_dpop_proof', 'Tokens of this client are bound to a key: send a DPoP proof.');
  const byCertificate = certificateBound || authentication.includes('tls_client_auth');
  if (!byCertificate) return right(null);
  if (request.certificate === undefined)
    return oauthFailure(
      'invalid_request',
      'Tokens of this client are bound to its certificate: present the certificate.',
    );
  return right({ kind: 'tls', x5t: request.certificate.thumbprint });
};

/** Without a client that requires one: by a proof, else by the certificate of the connection. */
export const resolveExchangeBinding = async (
  deps: BindingDeps,
  request: Omit<SenderConstraintRequest, 'client'>,
): Promise<Either<JsonAnswer, SenderConstraint | null>> => {
  if (request.proof !== undefined) return constraintFromProof(deps, request);
  return right(request.certificate === undefined ? null : { kind: 'tls', x5t: request.certificate.thumbprint });
};
