/** Revocation check of a token, from memory. */
import type { AccessTokenClaims } from '../access-token/claims';

/** `token_revoked`: by the epoch of the principal or of one that it acts for, which are checked first; `revoked`: by anything else. */
export type RevokedCode = 'token_revoked' | 'revoked';

/** Claims that revocations refer to. */
export type RevocableClaims = Pick<
  AccessTokenClaims,
  | 'tenant_id'
  | 'sub'
  | 'jti'
  | 'iat'
  | 'security_epoch'
  | 'client_id'
  | 'gid'
  | 'sid'
  | 'on_behalf_of'
  | 'obo_epoch'
  | 'act'
>;

export interface RevocationChecker {
  /** `kid`: the signing key. Undefined: not revoked. */
  readonly refusal: (claims: RevocableClaims, kid: string) => RevokedCode | undefined;
  /** False: no revocations of this tenant arrive. Absent: all tenants are covered. */
  readonly covers?: (tenantId: string) => boolean;
  /** Infinite until the initial state is complete. */
  readonly stalenessMilliseconds: () => number;
}

/** Maximum staleness; above it all requests are refused. */
export const maxStalenessMilliseconds = 60_000;
/** Maximum staleness for sensitive requests. */
export const maxSensitiveStalenessMilliseconds = 5_000;

/** For tokens without revocation, and for tests. */
export const noRevocations: RevocationChecker = { refusal: () => undefined, stalenessMilliseconds: () => 0 };
