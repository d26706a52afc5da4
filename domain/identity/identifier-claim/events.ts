/** That something which tells people apart (a login, a passkey, an account elsewhere) leads to one of them: a stream for each. */
import { Instant } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';

export const claims = family('identity', {
  IdentifierClaimed: { v: 1, data: { principalId: PrincipalId, claimedAt: Instant } },
  IdentifierReleased: { v: 1, data: { principalId: PrincipalId, releasedAt: Instant } },
});
export type ClaimEvent = typeof claims.Event;
