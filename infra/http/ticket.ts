/**
 * Tickets stand for a verified caller where a browser can set no header: when it opens a WebSocket. `t1.<payload>.<mac>`, both
 * base64url, for half a minute; whoever lets one in sees to it that it opens one door only.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { decode, finite, record, text } from '../../domain/kernel/codec';
import { SignedIdentity } from './identity';
import type { Identity } from './route';

export const ticketMilliseconds = 30_000;
const longestTicket = 12_000;

const Ticket = record('Ticket', {
  id: text('TicketId', { maxLength: 64 }),
  expiresAt: finite,
  identity: SignedIdentity,
});

export interface Ticket {
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  readonly identity: Identity;
}

/** The name of what is signed goes into the MAC: nothing else that is signed with the key passes for a ticket. */
const macOf = (key: KeyObject, payload: string): Buffer =>
  createHmac('sha256', key).update(`stream-ticket t1\n${payload}`).digest();

export const writeTicket = (ticket: Ticket, key: KeyObject): string => {
  const payload = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `t1.${payload}.${macOf(key, payload).toString('base64url')}`;
};

const parsed = (payload: string): unknown => {
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
};

/** Left is a fixed reason. */
export const readTicket = (ticket: string, key: KeyObject, now: number): Either<string, Ticket> => {
  if (ticket.length > longestTicket) return left('The ticket is too long.');
  const [version, payload = '', mac = '', ...rest] = ticket.split('.');
  if (version !== 't1' || rest.length > 0) return left('The ticket is malformed.');
  const [given, expected] = [Buffer.from(mac, 'base64url'), macOf(key, payload)];
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    return left('The ticket is not one of ours.');
  const decoded = decode(Ticket, parsed(payload));
  if (isLeft(decoded)) return left('The ticket is malformed.');
  return decoded.right.expiresAt < now ? left('The ticket has expired.') : right(decoded.right);
};
