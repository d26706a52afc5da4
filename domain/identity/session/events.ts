/** A person's sign-in in one browser. Its secret is in that browser's cookie alone, and another one after every authentication. */
import * as t from 'io-ts';
import { Instant, integer, nullable, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { PrincipalId } from '../../kernel/ids';
import { secret } from '../../kernel/secret';
import { AuthenticationMethod, SecretHash, SessionId } from '../ids';
import { Reason } from '../principal/events';

const Methods = t.array(AuthenticationMethod, 'AuthenticationMethods');

export const sessions = family('identity', {
  SessionOpened: {
    v: 1,
    data: {
      sessionId: SessionId,
      principalId: PrincipalId,
      /** Of what the cookie holds. */
      secretHash: SecretHash,
      /** The person's, then: a higher one ends the session as it ends tokens. */
      securityEpoch: integer(1),
      authenticatedAt: Instant,
      methods: Methods,
      /** The enterprise provider that vouched, by its issuer; null for a local sign-in. */
      upstreamIssuer: nullable(text('Issuer', { maxLength: 2048 })),
      /** Ends then, however much it is used. */
      expiresAt: Instant,
      /** Browser and system in words, as lists of sessions show them. */
      device: secret(nullable(text('Device', { maxLength: 120 })), 'principalId'),
      sourceIp: secret(nullable(text('IpAddress', { maxLength: 45 })), 'principalId'),
    },
  },
  /** Authenticated anew, by more or again: what needs freshness counts from here. */
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
  SessionEnded: { v: 1, data: { sessionId: SessionId, principalId: PrincipalId, reason: Reason } },
});
export type SessionEvent = typeof sessions.Event;
