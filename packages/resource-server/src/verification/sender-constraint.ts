/** Check seven: the sender of a bound token has its DPoP key or certificate (RFC 9449, RFC 8705). */
import { timingSafeEqual } from 'node:crypto';
import type { AccessTokenClaims } from '../access-token/claims';
import { type DpopError, type DpopOptions, verifyProof } from '../dpop/verify-proof';
import {
  type AccessError,
  dpopNonceRequired,
  invalidProof,
  invalidToken,
  type Scheme,
  unavailable,
} from './access-error';
import { isLeft } from './either';

export interface PresentedToken {
  readonly scheme: Scheme;
  readonly token: string;
  /** The `DPoP` header. */
  readonly proof?: string | undefined;
  readonly method: string;
  /** Request URL with the public scheme and host. */
  readonly url: string;
  /** Thumbprint of the connection's client certificate. */
  readonly certificate?: string | undefined;
  readonly now: number;
}

const toAccessError = ({ kind }: DpopError, { nonces }: DpopOptions, now: number): AccessError => {
  if (kind === 'other-key') return invalidToken('The token is bound to another key.', 'DPoP', 'sender_mismatch');
  if (kind === 'unavailable') return unavailable('service-unavailable', 'DPoP proofs cannot be checked right now.');
  return kind === 'nonce-wanted' && nonces !== undefined ? dpopNonceRequired(nonces.current(now)) : invalidProof();
};

const isSameText = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/** Checks the certificate before the DPoP proof: comparing thumbprints is cheap, and verifying a proof records its `jti` as used. */
export const checkSenderConstraint = async (
  { cnf }: AccessTokenClaims,
  sent: PresentedToken,
  rules: DpopOptions | undefined,
): Promise<AccessError | undefined> => {
  const { scheme, certificate, token: accessToken, proof, method, url, now } = sent;
  const bound = cnf?.['x5t#S256'];
  if (bound !== undefined && (certificate === undefined || !isSameText(bound, certificate)))
    return invalidToken('The token is bound to another certificate.', scheme, 'sender_mismatch');
  const jkt = cnf?.jkt;
  if (jkt === undefined)
    return scheme === 'DPoP'
      ? invalidToken('The token is not bound to a key; send it as a Bearer.', 'Bearer', 'sender_mismatch')
      : undefined;
  // A bound token without a proof could be stolen.
  if (scheme === 'Bearer')
    return invalidToken('The token is bound to a key; send it with a DPoP proof.', 'DPoP', 'sender_mismatch');
  if (rules === undefined) return unavailable('service-unavailable', 'DPoP proofs cannot be checked here.');
  const proved = await verifyProof(rules, { proof, method, url, accessToken, boundTo: jkt, now });
  return isLeft(proved) ? toAccessError(proved.left, rules, now) : undefined;
};
