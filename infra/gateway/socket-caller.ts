/** Who opens a WebSocket: by a token like any request, or by a ticket, which is good for one. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { CallerKeys } from '../http/caller-keys';
import { type Problem, problemOf } from '../http/problem';
import type { Identity } from '../http/route';
import { readTicket } from '../http/ticket';
import type { Once } from '../ports/once';
import { offeredBy } from '../ws/handshake';
import { type Authentication, invalid, withdrawn } from './authenticate';
import type { Console } from './console';
import { type Asked, identify } from './session-caller';

export interface CallerOptions {
  readonly authentication: Authentication;
  readonly console?: Console;
  /** Another gateway may have signed a ticket. */
  readonly callerKeys: CallerKeys;
  /** Tickets that were shown. */
  readonly shown: Once;
}

const byTicket = async (options: CallerOptions, ticket: string): Promise<Either<Problem, Identity>> => {
  const { authentication, callerKeys, shown } = options;
  const now = authentication.now();
  const read = readTicket(ticket, callerKeys, now);
  if (isLeft(read)) return left(invalid(read.left));
  const { id, identity, expiresAt } = read.right;
  if ((identity.expiresAt ?? Number.POSITIVE_INFINITY) <= now) return left(invalid('The token has expired.'));
  const refused = withdrawn(identity, authentication);
  if (refused !== undefined) return left(refused);
  const first = await shown.first(id, expiresAt - now + 1_000);
  if (isLeft(first)) return left(problemOf(first.left, {}));
  return first.right ? right(identity) : left(invalid('The ticket was used already.'));
};

export const callerOf = (
  options: CallerOptions,
  request: IncomingMessage,
  asked: Asked,
): Promise<Either<Problem, Identity>> => {
  const { headers } = request;
  const ticket = offeredBy(request)?.ticket;
  if (ticket === undefined || headers.authorization !== undefined)
    return identify({ ...options.console, authentication: options.authentication }, request, asked);
  return byTicket(options, ticket);
};
