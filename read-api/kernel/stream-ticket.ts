/** POST /v1/streams/tickets: for browsers, which can send no token when they open a WebSocket. */
import { createSecretKey } from 'node:crypto';
import { Instant, record, text } from '../../domain/kernel/codec';
import { route } from '../../infra/http/route';
import { ticketMilliseconds, writeTicket } from '../../infra/http/ticket';
import type { Clock } from '../../infra/ports/clock';
import type { Random } from '../../infra/ports/random';

export interface Ticketing {
  /** Shared with the gateway. */
  readonly internalKey: string;
  readonly clock: Clock;
  readonly random: Random;
}

const StreamTicket = record('StreamTicket', {
  ticket: text('StreamTicketText', { maxLength: 12_000 }),
  expires_at: Instant,
});

const description = [
  'Good for one WebSocket within half a minute: offer it as the subprotocol `septet.ticket.<ticket>` beside',
  '`septet.streams.v1`. On an open socket a new one shows a fresh token: `{"type":"authenticate","ticket":"…"}`.',
].join(' ');

export const issueStreamTicket = route<Ticketing>()({
  method: 'post',
  path: '/v1/streams/tickets',
  operation: 'issueStreamTicket',
  summary: 'A ticket for a WebSocket, in place of the token that this is asked with.',
  description,
  access: { scopes: [] },
  answers: { 201: { description: 'The ticket.', body: StreamTicket } },
  handle: async ({ internalKey, clock, random }, { identity }) => {
    const expiresAt = Date.parse(clock.now()) + ticketMilliseconds;
    const ticket = writeTicket({ id: random.uuid(), expiresAt, identity }, createSecretKey(Buffer.from(internalKey)));
    return { status: 201, body: { ticket, expires_at: new Date(expiresAt).toISOString() } };
  },
});
