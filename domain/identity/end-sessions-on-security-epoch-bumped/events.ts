/** What the process remembers of a person: the epoch, and the sessions whose end clients are notified of. */
import { Instant } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { SessionId } from '../ids';
import { SecurityEpoch } from '../principal/events';

export const followedSessions = family('identity', {
  SessionFollowed: {
    v: 1,
    data: { sessionId: SessionId, securityEpoch: SecurityEpoch, expiresAt: Instant, followedAt: Instant },
  },
  SessionFollowedNoMore: { v: 1, data: { sessionId: SessionId } },
  /** Sessions of lower epochs are void. */
  SessionsVoided: { v: 1, data: { securityEpoch: SecurityEpoch } },
});
export type FollowedSessionEvent = typeof followedSessions.Event;
