/** GET /v1/security/auth-events: what gateways allowed and denied, and why. */
import { isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  AuthEvent,
  AuthReason,
  AuthResult,
  DecidedPrincipalId,
  TokenId,
} from '../../domain/identity/protocol/auth-event';
import { Instant, integer, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import type { AuthEventReader } from '../../infra/ports/identity/auth-events';
import { commonProblems, problem, problemOf } from '../../infra/server/http/problem';
import { route } from '../../infra/server/http/routing/route';
import { IdList, idsIn } from '../kernel/id-list';
import { type Cursors, defaultLimit, pageQuery, refuseCursor } from '../kernel/pagination';

export interface AuthEventDeps {
  readonly authEvents: Pick<AuthEventReader, 'find' | 'dropped'>;
  readonly cursors: Cursors;
  /** Tenant of the platform's operators. */
  readonly operators: string;
}

const operation = 'listAuthEvents';

const Page = record('ListAuthEventsPage', {
  items: t.array(AuthEvent),
  next_cursor: nullable(text('NextCursor', { examples: ['eyJhZnRlciI6WyIyMDI2Il19.c2lnbmVk'], maxLength: 2_048 })),
  dropped: nullable(record('DroppedAuthEvents', { ALLOW: integer(0), DENY: integer(0) })),
});

const lastIn = ([timestamp, eventId]: readonly unknown[]) => ({
  timestamp: timestamp as Instant,
  eventId: String(eventId),
});

export const listAuthEvents = route<AuthEventDeps>()({
  method: 'get',
  path: '/v1/security/auth-events',
  operation,
  summary: 'List authorization decisions of gateways, newest first',
  description:
    'One for each request that a gateway allowed or denied, also in the name of other services (ext_authz), a few seconds old at most. Requests ' +
    'without a valid token name no principal, and are listed for operators of the platform with `about=strangers`. `sourceIp` and `deviceId` are ' +
    'removed with the person whom they are of. `dropped`: how many of the tenant were not recorded, because nothing took them in time; null: not ' +
    'known right now.',
  access: { scopes: ['security:read'] },
  query: pageQuery('ListAuthEventsQuery', {
    from: Instant,
    to: Instant,
    principalId: DecidedPrincipalId,
    principalIds: IdList,
    result: AuthResult,
    reason: AuthReason,
    jti: TokenId,
    about: oneOf('AuthEventsAbout', ['strangers']),
  }),
  answers: { 200: { description: 'A page; `next_cursor` is null on the last.', body: Page } },
  problems: { 'service-unavailable': commonProblems['service-unavailable'] },
  handle: async ({ authEvents, cursors, operators }, { identity: { tenantId }, query }) => {
    const { limit = defaultLimit, cursor, about, principalId, principalIds, ...filters } = query;
    if (about === 'strangers' && tenantId !== operators)
      return problem('forbidden', 'Only operators of the platform see decisions about strangers.');
    const tenant = about === 'strangers' ? null : tenantId;
    const request = { ...filters, principalIds: principalId === undefined ? idsIn(principalIds) : [principalId] };
    const scope = [tenant, operation, request];
    const after = cursor === undefined ? right(undefined) : cursors.read(scope, cursor);
    if (isLeft(after)) return refuseCursor(after.left);
    const [found, dropped] = await Promise.all([
      // One more than the page, to know whether there is a next page.
      authEvents.find(tenant, { ...request, after: after.right && lastIn(after.right), limit: limit + 1 }),
      authEvents.dropped(tenant),
    ]);
    if (isLeft(found)) return problemOf(found.left, {});
    const items = found.right.slice(0, limit);
    const last = found.right.length > limit ? items.at(-1) : undefined;
    return {
      status: 200,
      body: {
        items,
        next_cursor: last === undefined ? null : cursors.write(scope, [last.timestamp, last.eventId]),
        dropped: isLeft(dropped) ? null : dropped.right,
      },
    };
  },
});
