/** Checks two to six: times, issuer and audience, scopes, revocation. */

import {
  maxSensitiveStalenessMilliseconds,
  maxStalenessMilliseconds,
  type RevocableClaims,
  type RevocationChecker,
} from '../revocation/revocation-checker';
import {
  type AccessError,
  insufficientScope,
  invalidToken,
  revokedToken,
  type Scheme,
  unavailable,
} from '../verification/access-error';
import type { AccessTokenClaims } from './claims';
import { maxTokenSeconds, skewSeconds } from './claims';

export const checkTimes = (
  { exp, nbf, iat }: AccessTokenClaims,
  now: number,
  scheme: Scheme = 'Bearer',
): AccessError | undefined => {
  const second = now / 1000;
  if (exp <= second - skewSeconds) return invalidToken('The token has expired.', scheme, 'token_expired');
  if ((nbf ?? iat) > second + skewSeconds || iat > second + skewSeconds)
    return invalidToken('The token is not valid yet.', scheme, 'token_not_yet_valid');
  if (exp - iat > maxTokenSeconds) return invalidToken('The token lives too long.', scheme);
  return undefined;
};

export interface ExpectedAudience {
  readonly issuer: string;
  readonly audience: string;
}

export const checkIssuerAndAudience = (
  { iss, aud }: AccessTokenClaims,
  { issuer, audience }: ExpectedAudience,
  scheme: Scheme = 'Bearer',
): AccessError | undefined => {
  if (iss !== issuer) return invalidToken('The token is of another issuer.', scheme, 'wrong_issuer');
  return aud.includes(audience)
    ? undefined
    : invalidToken('The token is for another audience.', scheme, 'wrong_audience');
};

export const checkScopes = (
  { scopes }: AccessTokenClaims,
  required: readonly string[],
  scheme: Scheme = 'Bearer',
): AccessError | undefined => {
  const missing = required.filter((scope) => !scopes.includes(scope));
  return missing.length === 0 ? undefined : insufficientScope(missing, required, scheme);
};

export interface RevocationContext {
  readonly kid: string;
  readonly scheme: Scheme;
  /** Requires revocations that are seconds old, not a minute. */
  readonly sensitive?: boolean | undefined;
}

export const checkRevoked = (
  claims: RevocableClaims,
  { kid, scheme, sensitive = false }: RevocationContext,
  revocations: RevocationChecker,
): AccessError | undefined => {
  const longest = sensitive ? maxSensitiveStalenessMilliseconds : maxStalenessMilliseconds;
  if (revocations.stalenessMilliseconds() > longest)
    return unavailable(
      'revocation-state-stale',
      'Revocations are not current; all requests are refused until they are.',
    );
  if (revocations.covers?.(claims.tenant_id) === false)
    return invalidToken('The token is of a tenant that is not guarded against here.', scheme);
  const code = revocations.refusal(claims, kid);
  return code === undefined ? undefined : revokedToken(code, scheme);
};
