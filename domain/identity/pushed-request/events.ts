/**
 * Pushed authorization requests (RFC 9126). The content is sealed under a key derived from the reference, which only the client has: it may
 * name a person.
 */
import { Instant, text } from '../../kernel/codec';
import { family } from '../../kernel/family';
import { ClientId, PushedRequestId } from '../ids';

const Sealed = text('Sealed', { maxLength: 24_576, pattern: '[A-Za-z0-9_-]+' });

export const pushedRequests = family('identity', {
  RequestPushed: {
    v: 1,
    data: { requestId: PushedRequestId, clientId: ClientId, sealed: Sealed, pushedAt: Instant, expiresAt: Instant },
  },
  RequestUsed: { v: 1, data: { requestId: PushedRequestId, usedAt: Instant } },
});
export type PushedRequestEvent = typeof pushedRequests.Event;
