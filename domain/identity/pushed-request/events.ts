/**
 * Pushed authorization requests (RFC 9126). The content is sealed under a key derived from the reference, which only the client has: it may
 * name a person.
 */
import { Instant, text } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import { ClientId, PushedRequestId } from '../ids';

const Sealed = text('Sealed', { maxLength: 24_576, pattern: '[A-Za-z0-9_-]+' });

export const pushedRequests = aggregate(
  { context: 'identity', name: 'pushed', id: PushedRequestId },
  {
    RequestPushed: {
      v: 1,
      data: { requestId: PushedRequestId, clientId: ClientId, sealed: Sealed, pushedAt: Instant, expiresAt: Instant },
    },
    /** First shown to a person: from here on it is theirs to answer, also by a page that is loaded again. */
    RequestOpened: { v: 1, data: { requestId: PushedRequestId, openedAt: Instant } },
    /** Answered with a code; events of before `RequestOpened` existed: shown. */
    RequestUsed: { v: 1, data: { requestId: PushedRequestId, usedAt: Instant } },
    /** Answered with an error. */
    RequestRefused: { v: 1, data: { requestId: PushedRequestId, refusedAt: Instant } },
  },
);
export type PushedRequestEvent = typeof pushedRequests.Event;

export const { stream: pushedRequestStream } = pushedRequests;
