/** GET /v1/security/events: search by field, time and text; and the live stream. */
import { isLeft } from 'fp-ts/Either';
import { AuthResult } from '../../domain/identity/protocol/auth-event';
import { Severity } from '../../domain/identity/protocol/severity';
import { Instant, oneOf, record, text } from '../../domain/kernel/codec';
import { PrincipalId } from '../../domain/kernel/ids';
import { route } from '../../infra/server/http/routing/route';
import {
  SecurityEventRow,
  securityEventOf,
  securityEventStreams,
  securityEventsView,
} from '../../projections/identity/security-events/view';
import { definedFields } from '../kernel/defined-fields';
import { IdList, idsIn } from '../kernel/id-list';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';
import { stream } from '../kernel/streams/stream-definition';
import { asOperator, type IdentityReading } from './access-rules';
import { ClientId, EventType } from './wire';

const scopes = ['security:read'];

/** Who did it. */
const Actor = text('SecurityEventActor', { maxLength: 256, examples: ['p-1'] });

/** Of an access token. */
const TokenIdFilter = text('SecurityEventTokenId', {
  maxLength: 256,
  examples: ['9b2f6a51-7c1e-4f57-9a07-3f1f0f2e9c10'],
});

const SecurityEvent = record('SecurityEvent', {
  ...answerFields(SecurityEventRow),
  position: text('Position', { maxLength: 20, pattern: '[0-9]{1,20}', examples: ['41216'] }),
  type: EventType,
});

const show = toResponseOf(SecurityEvent);

const range = (from: string | undefined, to: string | undefined) =>
  from === undefined && to === undefined
    ? {}
    : { between: { field: 'timestamp' as const, ...definedFields({ from, to }) } };

const words = (q: string | undefined) => (q === undefined ? {} : { search: { text: q, fields: ['summary' as const] } });

const page = pageRoute({
  path: '/v1/security/events',
  operation: 'listSecurityEvents',
  summary: 'List security events, newest first',
  description:
    'With `about=platform`, for operators of the platform: events of no tenant, such as signing keys and not-before times of all tenants.',
  scopes,
  params: record('NoParams', {}),
  item: SecurityEvent,
  view: securityEventsView,
  filters: {
    principalId: PrincipalId,
    clientId: ClientId,
    actor: Actor,
    principalIds: IdList,
    clientIds: IdList,
    actors: IdList,
    type: EventType,
    severity: Severity,
    result: AuthResult,
    jti: TokenIdFilter,
    from: Instant,
    to: Instant,
    about: oneOf('SecurityEventsAbout', ['platform']),
    q: text('SearchWords', {
      content: 'any',
      examples: ['suspended'],
      maxLength: 256,
      description: 'Words that the summary contains.',
    }),
  },
  order: [
    { field: 'position', direction: 'desc' },
    { field: 'eventId', direction: 'desc' },
  ],
  rows: (_params, { principalIds, clientIds, actors, type, severity, result, jti, from, to, q, ...one }) => ({
    where: definedFields({
      principalId: one.principalId ?? idsIn(principalIds),
      clientId: one.clientId ?? idsIn(clientIds),
      actor: one.actor ?? idsIn(actors),
      type,
      severity,
      result,
      jti,
    }),
    ...range(from, to),
    ...words(q),
  }),
  show,
});

export const listSecurityEvents = route<IdentityReading>()({
  ...page,
  handle: async (reading, request) => {
    if (request.query.about === undefined) return page.handle(reading, request);
    const operatorRequest = asOperator(reading, request);
    return isLeft(operatorRequest) ? operatorRequest.left : page.handle(reading, operatorRequest.right);
  },
});

export const securityEventsStream = stream({
  name: 'security-events',
  path: '/v1/security/events/stream',
  operation: 'followSecurityEvents',
  summary: 'Follow security events as they are recorded',
  scopes,
  item: SecurityEvent,
  filters: {
    principalId: PrincipalId,
    clientId: ClientId,
    actor: Actor,
    type: EventType,
    severity: Severity,
    result: AuthResult,
    jti: TokenIdFilter,
  },
  followed: {
    streams: securityEventStreams,
    show: (event) => {
      const row = securityEventOf(event);
      return row === undefined ? undefined : { event: row.type, body: show(row) };
    },
  },
});
