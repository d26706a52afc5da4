/** POST /v1/streams/tickets: for browsers, which can send no token when they open a WebSocket. */
import { isLeft } from 'fp-ts/Either';
import { Instant, record, text } from '../../../domain/kernel/codec';
import type { Clock } from '../../../infra/ports/runtime/clock';
import type { CallerKeys } from '../../../infra/server/http/identity/caller-keys';
import { identityHeader } from '../../../infra/server/http/identity/identity-header';
import { readTicket } from '../../../infra/server/http/identity/socket-ticket';
import { problem } from '../../../infra/server/http/problem';
import { route } from '../../../infra/server/http/routing/route';

export interface TicketDeps {
  readonly callerKeys: CallerKeys;
  readonly clock: Clock;
}

const StreamTicket = record('StreamTicket', {
  ticket: text('StreamTicketText', { examples: ['eyJhbGciOiJkaXIifQ..dGlja2V0'], maxLength: 12_000 }),
  expires_at: Instant,
});

const description = [
  'Opens one WebSocket within half a minute: offer it as the subprotocol `septet.ticket.<ticket>` beside',
  '`septet.streams.v1`. On an open socket a new one shows a fresh token: `{"type":"authenticate","ticket":"…"}`.',
].join(' ');

export const issueStreamTicket = route<TicketDeps>()({
  method: 'post',
  path: '/v1/streams/tickets',
  operation: 'issueStreamTicket',
  summary: 'Exchange the access token of this request for a WebSocket ticket',
  sensitive: false,
  question: true,
  limitGroup: 'command',
  description,
  access: { scopes: [] },
  answers: { 201: { description: 'The ticket.', body: StreamTicket } },
  handle: async ({ callerKeys, clock }, { headers }) => {
    const ticket = headers[identityHeader] ?? '';
    const read = readTicket(ticket, callerKeys, Date.parse(clock.now()));
    // The signature is of the whole target, and a ticket's is of the path alone.
    if (isLeft(read)) return problem('invalid-input', 'Request a ticket without a query.');
    return { status: 201, body: { ticket, expires_at: new Date(read.right.expiresAt).toISOString() } };
  },
});
