/**
 * An authorization request that a client pushed (RFC 9126). What it asks for is sealed under a key made of the reference that only
 * the client was given: it may name a person, and the log must not.
 */
import { Instant, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { ClientId, PushedRequestId } from '../ids';

const Sealed = text('Sealed', { maxLength: 16_384, pattern: '[A-Za-z0-9_-]+' });

export const pushedRequests = family('identity', {
  RequestPushed: {
    v: 1,
    data: { requestId: PushedRequestId, clientId: ClientId, sealed: Sealed, pushedAt: Instant, expiresAt: Instant },
  },
  RequestUsed: { v: 1, data: { requestId: PushedRequestId, usedAt: Instant } },
});
export type PushedRequestEvent = typeof pushedRequests.Event;
