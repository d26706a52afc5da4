/** The claims of an id_token: who signed in, for the application that asked (OpenID Connect Core section 2). */
import { hash } from 'node:crypto';
import { wholeSeconds } from '../../../domain/kernel/instant';
import type { SigningAlgorithm } from '../../../infra/ports/kms';
import { authenticationClaims } from './authentication-claims';
import type { Birth, TokenOrder } from './order';
import type { Claims } from './sign-token';

/** Left half of the hash that goes with the algorithm (section 3.1.3.6); Ed25519 hashes with SHA-512. */
const halfHash = (token: string, algorithm: SigningAlgorithm): string => {
  const whole = hash(algorithm === 'ES256' ? 'sha256' : 'sha512', token, 'buffer');
  return whole.subarray(0, whole.length / 2).toString('base64url');
};

export const idTokenClaims = (
  issuer: string,
  order: TokenOrder,
  { birth, accessToken, algorithm }: { birth: Birth; accessToken: string; algorithm: SigningAlgorithm },
): Claims => ({
  iss: issuer,
  sub: order.principalId,
  aud: order.clientId,
  exp: wholeSeconds(birth.expiresAt),
  iat: wholeSeconds(birth.issuedAt),
  at_hash: halfHash(accessToken, algorithm),
  tenant_id: order.tenantId,
  ...(order.nonce === null ? {} : { nonce: order.nonce }),
  ...(order.sessionId === null ? {} : { sid: order.sessionId }),
  ...authenticationClaims(order.authentication),
});
