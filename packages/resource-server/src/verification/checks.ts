/** What is checked of claims: times, audience, scopes, and whether they were revoked since. */
import type { AccessTokenClaims } from './claims';
import { insufficientScope, invalidToken, type Refusal, revokedToken, type Scheme, unavailable } from './refusal';
import {
  longestSensitiveMilliseconds,
  longestStalenessMilliseconds,
  type RevocableClaims,
  type Revocations,
} from './revocations';
import { longestTokenSeconds, skewSeconds } from './times';

export const untimely = (
  { exp, nbf, iat }: AccessTokenClaims,
  now: number,
  scheme: Scheme = 'Bearer',
): Refusal | undefined => {
  const second = now / 1000;
  if (exp <= second - skewSeconds) return invalidToken('The token has expired.', scheme);
  if ((nbf ?? iat) > second + skewSeconds || iat > second + skewSeconds)
    return invalidToken('The token is not valid yet.', scheme);
  if (exp - iat > longestTokenSeconds) return invalidToken('The token lives too long.', scheme);
  return undefined;
};

export interface Expected {
  readonly issuer: string;
  readonly audience: string;
}

export const misdirected = (
  { iss, aud }: AccessTokenClaims,
  { issuer, audience }: Expected,
  scheme: Scheme = 'Bearer',
): Refusal | undefined => {
  if (iss !== issuer) return invalidToken('The token is of another issuer.', scheme);
  return aud.includes(audience) ? undefined : invalidToken('The token is for another audience.', scheme);
};

export const unscoped = (
  { scopes }: AccessTokenClaims,
  required: readonly string[],
  scheme: Scheme = 'Bearer',
): Refusal | undefined => {
  const missing = required.filter((scope) => !scopes.includes(scope));
  return missing.length === 0 ? undefined : insufficientScope(missing, required, scheme);
};

export interface Signature {
  readonly kid: string;
  readonly scheme: Scheme;
  /** Waits for fresh word of revocations, where others go on with what is known. */
  readonly sensitive?: boolean | undefined;
}

export const revoked = (
  claims: RevocableClaims,
  { kid, scheme, sensitive = false }: Signature,
  revocations: Revocations,
): Refusal | undefined => {
  const longest = sensitive ? longestSensitiveMilliseconds : longestStalenessMilliseconds;
  if (revocations.stalenessMilliseconds() > longest)
    return unavailable(
      'revocation-state-stale',
      'Revocations have not been heard of for too long; nobody is let in until they are.',
    );
  if (revocations.covers?.(claims.tenant_id) === false)
    return invalidToken('The token is of a tenant that is not guarded against here.', scheme);
  const code = revocations.refusal(claims, kid);
  return code === undefined ? undefined : revokedToken(code, scheme);
};
