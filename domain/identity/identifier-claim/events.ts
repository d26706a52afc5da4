/** An identifier (login, passkey, provider account) belongs to one person; one stream each. */
import { Instant } from '../../kernel/codec';
import { family, inStreamsOf } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';

const claims = family('identity', {
  IdentifierClaimed: { v: 1, data: { principalId: PrincipalId, claimedAt: Instant } },
  IdentifierReleased: { v: 1, data: { principalId: PrincipalId, releasedAt: Instant } },
});
/** Of each, the id is a keyed hash of the identifier. */
export const loginClaims = inStreamsOf(claims, 'login');
export const passkeyClaims = inStreamsOf(claims, 'passkey');
export const upstreamClaims = inStreamsOf(claims, 'upstream');
export type ClaimEvent = typeof claims.Event;

export const claimStreams = {
  login: loginClaims.stream,
  passkey: passkeyClaims.stream,
  upstream: upstreamClaims.stream,
} as const;
export type ClaimKind = keyof typeof claimStreams;
