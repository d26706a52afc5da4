/** GET /v1/security/events, found by fields, time and words; and the same events live. */
import { Instant, nullable, oneOf, record, text } from '../../domain/kernel/codec';
import {
  type SecurityEventRow,
  securityEventOf,
  securityEventStreams,
  securityEventsView,
} from '../../projections/identity/security-events/view';
import { given } from '../kernel/given';
import { pageRoute } from '../kernel/route';
import { stream } from '../kernel/stream';
import { Actor, Details, EventId, EventType, PrincipalId, PrincipalType } from './wire';

const scopes = ['security:read'];
const Severity = oneOf('Severity', ['SEV-1', 'SEV-2', 'SEV-3']);

const SecurityEvent = record('SecurityEvent', {
  eventId: EventId,
  position: text('Position', { maxLength: 20, pattern: '[0-9]{1,20}', examples: ['41216'] }),
  timestamp: Instant,
  type: EventType,
  principalId: PrincipalId,
  principalType: nullable(PrincipalType),
  actor: Actor,
  severity: nullable(Severity),
  summary: text('Summary', { maxLength: 1000 }),
  details: Details,
});

const show = ({ tenantId: _tenant, revision: _revision, ...shown }: SecurityEventRow) => shown;

const range = (from: string | undefined, to: string | undefined) =>
  from === undefined && to === undefined ? {} : { between: { field: 'timestamp' as const, ...given({ from, to }) } };

const words = (q: string | undefined) => (q === undefined ? {} : { search: { text: q, fields: ['summary' as const] } });

export const listSecurityEvents = pageRoute({
  path: '/v1/security/events',
  operation: 'listSecurityEvents',
  summary: 'Security events of the tenant, the newest first.',
  scopes,
  params: record('NoParams', {}),
  item: SecurityEvent,
  view: securityEventsView,
  filters: {
    principalId: PrincipalId,
    type: EventType,
    severity: Severity,
    from: Instant,
    to: Instant,
    q: text('SearchWords', { maxLength: 256, description: 'Words of the summary.' }),
  },
  order: [
    { field: 'position', direction: 'desc' },
    { field: 'eventId', direction: 'desc' },
  ],
  rows: (_params, { principalId, type, severity, from, to, q }) => ({
    where: given({ principalId, type, severity }),
    ...range(from, to),
    ...words(q),
  }),
  show,
});

export const securityEventsStream = stream({
  name: 'security-events',
  path: '/v1/security/events/stream',
  operation: 'followSecurityEvents',
  summary: 'Security events of the tenant as they are recorded.',
  scopes,
  item: SecurityEvent,
  filters: { principalId: PrincipalId, type: EventType, severity: Severity },
  followed: {
    streams: securityEventStreams,
    show: (event) => {
      const row = securityEventOf(event);
      return row === undefined ? undefined : { event: row.type, body: show(row) };
    },
  },
});
