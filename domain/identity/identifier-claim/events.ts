/** An identifier (login, passkey, provider account) belongs to one person; one stream each. */
import { Instant } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';

export const claims = family('identity', {
  IdentifierClaimed: { v: 1, data: { principalId: PrincipalId, claimedAt: Instant } },
  IdentifierReleased: { v: 1, data: { principalId: PrincipalId, releasedAt: Instant } },
});
export type ClaimEvent = typeof claims.Event;
