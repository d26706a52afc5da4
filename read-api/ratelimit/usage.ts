/** GET /v1/ratelimit/usage: usage of quotas by hour. */
import { brandedText, Instant, integer, record, text } from '../../domain/kernel/codec';
import { UsageRow, usageView } from '../../projections/ratelimit/usage/view';
import { definedFields } from '../kernel/defined-fields';
import { pageRoute } from '../kernel/query-routes';
import { answerFields, toResponseOf } from '../kernel/row-answer';

const QuotaId = brandedText('QuotaId', {
  examples: ['mXyRbW0pT8sVfK2dLq7nJc4hGa9'],
  minLength: 27,
  maxLength: 27,
  pattern: '[A-Za-z0-9_-]{27}',
});

const { startsAt, endsAt, usedAt } = answerFields(UsageRow);
const Usage = record('Usage', {
  quotaId: QuotaId,
  /** The quota's period. */
  startsAt,
  endsAt,
  /** Hour of recording: `2026013112`, UTC. */
  hour: text('Hour', { examples: ['1763985600'], maxLength: 10 }),
  used: integer(),
  usedAt,
});

const toResponse = toResponseOf(Usage);
const show = (row: UsageRow) => toResponse({ ...row, used: Number(row.used) });

const order = [
  { field: 'startsAt', direction: 'desc' },
  { field: 'hour', direction: 'desc' },
  { field: 'quotaId', direction: 'asc' },
] as const;

export const listUsage = pageRoute({
  path: '/v1/ratelimit/usage',
  operation: 'listUsage',
  summary: 'List usage of quotas by the hour, newest first. Sum the hours of a period for its total',
  scopes: ['ratelimit:read'],
  params: record('NoParams', {}),
  item: Usage,
  view: usageView,
  filters: { quotaId: QuotaId, startsAt: Instant },
  order,
  rows: (_params, { quotaId, startsAt }) => ({ where: definedFields({ quotaId, startsAt }) }),
  show,
});
