/** Access tokens that reach a service past the gateway's check, as Git sends them: as a password. */
import type { Either } from 'fp-ts/Either';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';

export interface TokenHolder {
  readonly tenantId: TenantId;
  readonly principalId: PrincipalId;
  readonly scopes: readonly string[];
}

/** `invalid`: no token of this system, expired, or revoked. `unavailable`: keys or revocations are not known well enough. */
export type TokenRefusal = 'invalid' | 'unavailable';

export interface AccessTokens {
  /** Makes the gateway's checks, revocations included, all but that of scopes. A token that is bound to a key is no bearer's. */
  readonly verify: (token: string) => Promise<Either<TokenRefusal, TokenHolder>>;
}
