/** Session: opened and stepped up after authentication, ended once. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { SessionId } from '../ids';
import { type SessionEvent, sessions } from './events';

type Opened = Extract<SessionEvent, { type: 'SessionOpened' }>['data'];

export interface OpenSession {
  readonly type: 'OpenSession';
  readonly session: Opened;
}

export interface StepUpSession {
  readonly type: 'StepUpSession';
  readonly sessionId: SessionId;
  readonly principalId: PrincipalId;
  readonly secretHash: string;
  readonly methods: readonly string[];
  readonly at: Instant;
}

export interface EndSession {
  readonly type: 'EndSession';
  readonly sessionId: SessionId;
  readonly reason: string;
}

export type SessionCommand = OpenSession | StepUpSession | EndSession;
export type SessionRejection = 'session-unknown' | 'session-over' | 'session-differs';

export interface OpenSessionState {
  readonly kind: 'open';
  readonly session: Opened;
}

export type SessionState =
  | { readonly kind: 'none' }
  | OpenSessionState
  | {
      readonly kind: 'ended';
      readonly sessionId: SessionId;
      readonly principalId: PrincipalId;
      readonly securityEpoch: number;
    };

/** The person's epoch at the opening. */
export const sessionEpochOf = (state: SessionState): number => {
  if (state.kind === 'none') return 0;
  return state.kind === 'open' ? state.session.securityEpoch : state.securityEpoch;
};

type Decision = Either<Rejection<SessionRejection>, readonly SessionEvent[]>;

const open = ({ session }: OpenSession, state: SessionState): Decision => {
  if (state.kind === 'none') return right([{ type: 'SessionOpened', data: session }]);
  const same = state.kind === 'open' && state.session.secretHash === session.secretHash;
  return same ? right([]) : reject('session-differs', 'There was a session of this id before.');
};

const stepUp = (command: StepUpSession, state: SessionState): Decision => {
  if (state.kind !== 'open') return reject('session-over', 'The session has ended.');
  const { sessionId, principalId, secretHash, at } = command;
  if (state.session.principalId !== principalId)
    return reject('session-differs', 'The session belongs to another principal.');
  if (at >= state.session.expiresAt) return reject('session-over', 'The session has ended.');
  if (state.session.secretHash === secretHash) return right([]);
  const methods = [...command.methods];
  return right([
    { type: 'SessionSteppedUp', data: { sessionId, principalId, secretHash, authenticatedAt: at, methods } },
  ]);
};

const end = ({ sessionId, reason }: EndSession, state: SessionState): Decision => {
  if (state.kind === 'none') return reject('session-unknown', 'There is no such session.');
  if (state.kind === 'ended') return right([]);
  return right([{ type: 'SessionEnded', data: { sessionId, principalId: state.session.principalId, reason } }]);
};

const evolve = (state: SessionState, event: SessionEvent): SessionState => {
  if (event.type === 'SessionOpened') return { kind: 'open', session: event.data };
  const { sessionId, principalId } = event.data;
  if (event.type === 'SessionEnded')
    return { kind: 'ended', sessionId, principalId, securityEpoch: sessionEpochOf(state) };
  if (state.kind !== 'open') return state;
  const { secretHash, authenticatedAt, methods } = event.data;
  return { kind: 'open', session: { ...state.session, secretHash, authenticatedAt, methods } };
};

const decide = (command: SessionCommand, state: SessionState): Decision => {
  switch (command.type) {
    case 'OpenSession':
      return open(command, state);
    case 'StepUpSession':
      return stepUp(command, state);
    case 'EndSession':
      return end(command, state);
  }
};

export const session: Decider<SessionCommand, SessionState, SessionEvent, SessionRejection> = {
  family: sessions,
  initial: { kind: 'none' },
  evolve,
  decide,
};
