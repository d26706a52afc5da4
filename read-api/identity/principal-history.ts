/** GET /v1/principals/:principalId/history: what happened to a principal, the newest first. */
import * as t from 'io-ts';
import { described, Instant, integer, nullable, record, text } from '../../domain/kernel/codec';
import { type PrincipalHistoryRow, principalHistoryView } from '../../projections/identity/principal-history/view';
import { pageRoute } from '../kernel/route';
import { PrincipalId, PrincipalParams, principalScopes } from './principals';

const PrincipalHistoryItem = record('PrincipalHistoryItem', {
  eventId: text('EventId', { maxLength: 64 }),
  principalId: PrincipalId,
  revision: integer(0),
  type: text('EventType', { maxLength: 128 }),
  at: Instant,
  actor: text('Actor', { maxLength: 256 }),
  reason: nullable(text('Reason', { maxLength: 500 })),
  details: described(t.UnknownRecord, { type: 'object' }),
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
