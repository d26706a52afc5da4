/** Authenticates a WebSocket handshake by access token or single-use ticket. */
import type { IncomingMessage } from 'node:http';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ReplayCache } from '../../ports/identity/replay-cache';
import type { CallerKeys } from '../../server/http/identity/caller-keys';
import { readTicket } from '../../server/http/identity/socket-ticket';
import { type Problem, problemOf } from '../../server/http/problem';
import type { Identity } from '../../server/http/routing/route';
import { parseOffer } from '../../server/ws/handshake';
import { noteIdentity } from '../auth-events/decision-notes';
import { type Authentication, checkRevocation, invalidCredentials } from '../authentication/authenticate';
import type { Console } from '../bff/console';
import { type IdentifyRequest, identifyCaller } from '../bff/session-authentication';

export interface UpgradeAuthenticationOptions {
  readonly authentication: Authentication;
  readonly console?: Console;
  /** Any gateway may have signed the ticket. */
  readonly callerKeys: CallerKeys;
  readonly ticketReplayCache: ReplayCache;
}

const authenticateByTicket = async (
  options: UpgradeAuthenticationOptions,
  request: IncomingMessage,
  ticket: string,
): Promise<Either<Problem, Identity>> => {
  const { authentication, callerKeys, ticketReplayCache } = options;
  const now = authentication.now();
  const read = readTicket(ticket, callerKeys, now);
  if (isLeft(read)) return left(invalidCredentials(read.left, authentication));
  const { id, identity, expiresAt } = read.right;
  noteIdentity(request, identity);
  if ((identity.expiresAt ?? Number.POSITIVE_INFINITY) <= now)
    return left(invalidCredentials('The token has expired.', authentication));
  const refused = checkRevocation(identity, authentication);
  if (refused !== undefined) return left(refused);
  const first = await ticketReplayCache.first(id, expiresAt - now + 1_000);
  if (isLeft(first)) return left(problemOf(first.left, {}));
  return first.right ? right(identity) : left(invalidCredentials('The ticket was used already.', authentication));
};

export const authenticateUpgrade = (
  options: UpgradeAuthenticationOptions,
  request: IncomingMessage,
  identifyRequest: IdentifyRequest,
): Promise<Either<Problem, Identity>> => {
  const { headers } = request;
  const ticket = parseOffer(request)?.ticket;
  if (ticket === undefined || headers.authorization !== undefined)
    return identifyCaller({ ...options.console, authentication: options.authentication }, request, identifyRequest);
  return authenticateByTicket(options, request, ticket);
};
