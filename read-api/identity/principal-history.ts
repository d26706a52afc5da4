/** GET /v1/principals/:principalId/history: what happened to a principal, the newest first. */
import { Instant, integer, nullable, record, text } from '../../domain/kernel/codec';
import { type PrincipalHistoryRow, principalHistoryView } from '../../projections/identity/principal-history/view';
import { pageRoute } from '../kernel/route';
import { PrincipalParams, principalScopes } from './principals';
import { Actor, Details, EventId, EventType, PrincipalId } from './wire';

const PrincipalHistoryItem = record('PrincipalHistoryItem', {
  eventId: EventId,
  principalId: PrincipalId,
  revision: integer(0),
  type: EventType,
  at: Instant,
  actor: Actor,
  reason: nullable(text('Reason', { maxLength: 500 })),
  details: Details,
});

const show = ({ eventId, principalId, revision, type, at, actor, reason, details }: PrincipalHistoryRow) => ({
  eventId,
  principalId,
  revision,
  type,
  at,
  actor,
  reason,
  details,
});

export const getPrincipalHistory = pageRoute({
  path: '/v1/principals/:principalId/history',
  operation: 'getPrincipalHistory',
  summary: 'What happened to a principal, the newest first; empty when no such principal is known.',
  scopes: principalScopes,
  params: PrincipalParams,
  item: PrincipalHistoryItem,
  view: principalHistoryView,
  filters: {},
  order: [{ field: 'revision', direction: 'desc' }],
  rows: ({ principalId }) => ({ where: { principalId } }),
  show,
});
