/** Session: opened and stepped up after authentication, signed into by clients, ended once. */
import { type Either, right } from 'fp-ts/Either';
import type { Instant } from '../../kernel/codec';
import type { Decider } from '../../kernel/decider';
import type { PrincipalId } from '../../kernel/ids';
import { type Rejection, reject } from '../../kernel/rejection';
import type { ClientId, SessionId } from '../ids';
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

/** Of a client that is notified of the session's end. */
export interface SignClientIn {
  readonly type: 'SignClientIn';
  readonly sessionId: SessionId;
  readonly clientId: ClientId;
}

export type SessionCommand = OpenSession | StepUpSession | EndSession | SignClientIn;
export type SessionRejection = 'session-unknown' | 'session-over' | 'session-differs' | 'session-full';

/** More clients than people sign in to; each is an event at the end of the session. */
export const maxSignedInClients = 90;

export interface OpenSessionState {
  readonly kind: 'open';
  readonly session: Opened;
  /** Notified of its end, in the order of their sign-in. */
  readonly clients: readonly ClientId[];
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
  return same ? right([]) : reject('session-differs', 'A session had this id before.');
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
  const { principalId } = state.session;
  return right([
    { type: 'SessionEnded', data: { sessionId, principalId, reason } },
    ...state.clients.map(
      (clientId): SessionEvent => ({ type: 'ClientSignedOut', data: { sessionId, principalId, clientId } }),
    ),
  ]);
};

/** Decided in the session's stream, so that no client signs in unnoticed while the session ends. */
const signClientIn = ({ sessionId, clientId }: SignClientIn, state: SessionState): Decision => {
  if (state.kind === 'none') return reject('session-unknown', 'There is no such session.');
  if (state.kind === 'ended') return reject('session-over', 'The session has ended.');
  if (state.clients.includes(clientId)) return right([]);
  if (state.clients.length >= maxSignedInClients)
    return reject(
      'session-full',
      `The session has ${maxSignedInClients} applications, which is the limit: sign out, and sign in again.`,
    );
  const { principalId, securityEpoch, expiresAt } = state.session;
  return right([{ type: 'ClientSignedIn', data: { sessionId, principalId, clientId, securityEpoch, expiresAt } }]);
};

const evolve = (state: SessionState, event: SessionEvent): SessionState => {
  if (event.type === 'SessionOpened') return { kind: 'open', session: event.data, clients: [] };
  const { sessionId, principalId } = event.data;
  if (event.type === 'SessionEnded')
    return { kind: 'ended', sessionId, principalId, securityEpoch: sessionEpochOf(state) };
  if (state.kind !== 'open' || event.type === 'ClientSignedOut') return state;
  if (event.type === 'ClientSignedIn') return { ...state, clients: [...state.clients, event.data.clientId] };
  const { secretHash, authenticatedAt, methods } = event.data;
  return { ...state, session: { ...state.session, secretHash, authenticatedAt, methods } };
};

const decide = (command: SessionCommand, state: SessionState): Decision => {
  switch (command.type) {
    case 'OpenSession':
      return open(command, state);
    case 'StepUpSession':
      return stepUp(command, state);
    case 'EndSession':
      return end(command, state);
    case 'SignClientIn':
      return signClientIn(command, state);
  }
};

export const session: Decider<SessionCommand, SessionState, SessionEvent, SessionRejection> = {
  family: sessions,
  initial: { kind: 'none' },
  evolve,
  decide,
};
