/**
 * A suspension, or another end of all that a principal has, voids its sessions by the epoch alone. Sessions of clients with back-channel logout
 * end by an event of their own as well.
 */
import type { Instant } from '../../kernel/codec';
import { type Process, type Reaction, type Send, send } from '../../kernel/process';
import type { SessionId } from '../ids';
import { type PrincipalEvent, principals } from '../principal/events';
import type { EndSession } from '../session/decider';
import { type SessionEvent, sessions } from '../session/events';
import { type FollowedSessionEvent, followedSessions } from './events';

interface FollowedSession {
  readonly sessionId: SessionId;
  readonly expiresAt: Instant;
}

interface State {
  readonly sessions: readonly FollowedSession[];
  /** Sessions of lower epochs are void; 0: none was voided. */
  readonly securityEpoch: number;
}

const evolve = (state: State, event: FollowedSessionEvent): State => {
  switch (event.type) {
    case 'SessionFollowed': {
      const { sessionId, expiresAt, followedAt } = event.data;
      const others = state.sessions.filter((one) => one.sessionId !== sessionId && one.expiresAt > followedAt);
      return { ...state, sessions: [...others, { sessionId, expiresAt }] };
    }
    case 'SessionFollowedNoMore':
      return { ...state, sessions: state.sessions.filter(({ sessionId }) => sessionId !== event.data.sessionId) };
    case 'SessionsVoided':
      return { sessions: [], securityEpoch: event.data.securityEpoch };
  }
};

type EndSent = Send<'identity.session', EndSession>;

const end = (sessionId: SessionId, reason: string): EndSent =>
  send('identity.session', sessionId, { type: 'EndSession', sessionId, reason });

const voidedMeanwhile = 'The earlier sessions were ended.';

type SignedIn = Extract<SessionEvent, { type: 'ClientSignedIn' }>['data'];

const follow = (
  state: State,
  { sessionId, securityEpoch, expiresAt }: SignedIn,
  followedAt: Instant,
): Reaction<FollowedSessionEvent, EndSent> => {
  if (securityEpoch < state.securityEpoch) return { actions: [end(sessionId, voidedMeanwhile)] };
  if (state.sessions.some((one) => one.sessionId === sessionId)) return {};
  return { stateEvents: [{ type: 'SessionFollowed', data: { sessionId, securityEpoch, expiresAt, followedAt } }] };
};

export const endSessionsOnSecurityEpochBumped: Process<
  State,
  FollowedSessionEvent,
  SessionEvent | PrincipalEvent,
  EndSent
> = {
  name: 'end-sessions-on-security-epoch-bumped',
  context: 'identity',
  subscribes: [sessions, principals],
  startFrom: 'first-event',
  key: ({ event }) => {
    if (event.type === 'ClientSignedIn' || event.type === 'ClientSignedOut') return event.data.principalId;
    // Where grants go on, so do the clients that have them.
    const endsAll = event.type === 'SecurityEpochBumped' && event.data.grants === 'ended';
    return endsAll ? event.data.principalId : undefined;
  },
  stateEvents: followedSessions,
  initial: { sessions: [], securityEpoch: 0 },
  evolve,
  react: (state, { event, at }) => {
    if (event.type === 'ClientSignedIn') return follow(state, event.data, at);
    if (event.type === 'ClientSignedOut') {
      const { sessionId } = event.data;
      const isFollowed = state.sessions.some((one) => one.sessionId === sessionId);
      return isFollowed ? { stateEvents: [{ type: 'SessionFollowedNoMore', data: { sessionId } }] } : {};
    }
    if (event.type !== 'SecurityEpochBumped') return {};
    const { to: securityEpoch, reason } = event.data;
    const open = state.sessions.filter(({ expiresAt }) => expiresAt > at);
    return {
      stateEvents: [{ type: 'SessionsVoided', data: { securityEpoch } }],
      actions: open.map(({ sessionId }) => end(sessionId, reason)),
    };
  },
};
