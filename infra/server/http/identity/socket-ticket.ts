/**
 * Tickets identify a verified caller where a browser can set no header: when it opens a WebSocket. A ticket is the identity header of the
 * request for the ticket, so only the gateway can sign one. It is valid for half a minute; the gateway accepts each once.
 */
import { createHash } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { Identity } from '../routing/route';
import type { CallerKeys } from './caller-keys';
import { verifyHeader } from './identity-header';

/** The request line that the gateway signs for tickets. */
export const ticketLine = { method: 'POST', target: '/v1/streams/tickets' };
const maxTicketLength = 12_000;

export interface Ticket {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly identity: Identity;
}

/** Derived from the signed bytes, so another encoding of the signature is the same ticket. */
const idOf = (ticket: string): string =>
  createHash('sha256')
    .update(ticket.split('.')[2] ?? '')
    .digest('base64url');

const reasons: { readonly [reason: string]: string } = {
  malformed: 'The ticket is malformed.',
  'malformed payload': 'The ticket is malformed.',
  expired: 'The ticket has expired.',
};

/** Left is a fixed reason. */
export const readTicket = (ticket: string, keys: CallerKeys, now: number): Either<string, Ticket> => {
  if (ticket.length > maxTicketLength) return left('The ticket is too long.');
  const verified = verifyHeader(ticket, { keys, line: ticketLine, now });
  if (isLeft(verified)) return left(reasons[verified.left] ?? 'The ticket was not issued here.');
  const { caller, expiresAt } = verified.right;
  if (caller.identity === undefined) return left('The ticket was not issued here.');
  return expiresAt < now
    ? left('The ticket has expired.')
    : right({ id: idOf(ticket), expiresAt, identity: caller.identity });
};
