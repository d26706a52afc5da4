/** GET /v1/principals/:principalId/history: events of a principal, newest first. */
import { fieldsOf, nullable, record, text } from '../../domain/kernel/codec';
import { PrincipalHistoryRow, principalHistoryView } from '../../projections/identity/principal-history/view';
import { pageRoute } from '../kernel/query-routes';
import { toResponseOf } from '../kernel/row-answer';
import { PrincipalParams, principalScopes } from './principals';
import { EventType } from './wire';

const { tenantId: _tenant, eventId, ...fields } = fieldsOf(PrincipalHistoryRow);
const PrincipalHistoryItem = record('PrincipalHistoryItem', {
  eventId,
  ...fields,
  type: EventType,
  reason: nullable(text('Reason', { content: 'lines', examples: ['Left the company.'], maxLength: 500 })),
});

export const getPrincipalHistory = pageRoute({
  path: '/v1/principals/:principalId/history',
  operation: 'getPrincipalHistory',
  summary: 'List the history of a principal, newest first; empty if the principal is unknown',
  scopes: principalScopes,
  params: PrincipalParams,
  item: PrincipalHistoryItem,
  view: principalHistoryView,
  filters: {},
  order: [{ field: 'revision', direction: 'desc' }],
  rows: ({ principalId }) => ({ where: { principalId } }),
  show: toResponseOf(PrincipalHistoryItem),
});
