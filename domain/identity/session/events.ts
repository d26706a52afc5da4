/** A session in one browser. Its secret is only in the cookie and changes with every authentication. */
import * as t from 'io-ts';
import { Instant, integer, nullable, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { AuthenticationMethod, ClientId, SecretHash, SessionId } from '../ids';
import { Reason, SecurityEpoch } from '../principal/events';

const Methods = t.array(AuthenticationMethod, 'AuthenticationMethods');

export const sessions = aggregate(
  { context: 'identity', name: 'session', id: SessionId },
  {
    SessionOpened: {
      v: 1,
      data: {
        sessionId: SessionId,
        principalId: PrincipalId,
        /** Hash of the cookie's secret. */
        secretHash: SecretHash,
        /** The person's epoch at the time; a higher one ends the session. */
        securityEpoch: integer(1),
        authenticatedAt: Instant,
        methods: Methods,
        /** Issuer of the identity provider; null: local sign-in. */
        upstreamIssuer: nullable(text('Issuer', { maxLength: 2048 })),
        /** Absolute expiry. */
        expiresAt: Instant,
        /** User agent label. */
        device: secret(nullable(text('Device', { maxLength: 120 })), 'principalId'),
        sourceIp: secret(nullable(text('IpAddress', { maxLength: 45 })), 'principalId'),
      },
    },
    /** Authenticated again: recent authentication counts from here. */
    SessionSteppedUp: {
      v: 1,
      data: {
        sessionId: SessionId,
        principalId: PrincipalId,
        secretHash: SecretHash,
        authenticatedAt: Instant,
        methods: Methods,
      },
    },
    /** A client that is notified of the session's end got its first tokens. */
    ClientSignedIn: {
      v: 1,
      data: {
        sessionId: SessionId,
        principalId: PrincipalId,
        clientId: ClientId,
        /** The session's, for processes that follow a person's sessions. */
        securityEpoch: SecurityEpoch,
        expiresAt: Instant,
      },
    },
    /** With the end of the session: the client gets notified. */
    ClientSignedOut: { v: 1, data: { sessionId: SessionId, principalId: PrincipalId, clientId: ClientId } },
    SessionEnded: { v: 1, data: { sessionId: SessionId, principalId: PrincipalId, reason: Reason } },
  },
);
export type SessionEvent = typeof sessions.Event;

export const { stream: sessionStream } = sessions;
