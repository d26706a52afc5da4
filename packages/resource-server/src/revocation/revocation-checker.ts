/** What is known of revocations, as a verifier asks it: from memory, at once. */
import type { AccessTokenClaims } from '../access-token/claims';

/** `token_revoked`: by its principal's epoch, which checks ask first; `revoked`: by anything else that ends it. */
export type RevokedCode = 'token_revoked' | 'revoked';

/** All of a token that a revocation can name. */
export type RevocableClaims = Pick<
  AccessTokenClaims,
  'tenant_id' | 'sub' | 'jti' | 'iat' | 'security_epoch' | 'client_id' | 'gid' | 'sid'
>;

export interface RevocationChecker {
  /** `kid`: the key that signed. Undefined: nothing that was heard of revokes it. */
  readonly refusal: (claims: RevocableClaims, kid: string) => RevokedCode | undefined;
  /** False: nothing is heard of this tenant's. Left out, all are. */
  readonly covers?: (tenantId: string) => boolean;
  /** Infinite until everything recorded so far has been heard. */
  readonly stalenessMilliseconds: () => number;
}

/** Without word of revocations for that long, nobody is let in. */
export const maxStalenessMilliseconds = 60_000;
/** Nor, for that long, to what does most harm in wrong hands. */
export const maxSensitiveStalenessMilliseconds = 5_000;

/** For tokens that nobody can revoke, and for tests. */
export const noRevocations: RevocationChecker = { refusal: () => undefined, stalenessMilliseconds: () => 0 };
