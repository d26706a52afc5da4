/** Quota usage by hour of recording; the usage of a period is the sum of its rows. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, record, text } from '../../../domain/kernel/codec';
import { TenantId } from '../../../domain/kernel/ids';
import { QuotaId } from '../../../domain/ratelimit/ids';
import { type TableView, table } from '../../kernel/view';

export const UsageRow = record('UsageRow', {
  tenantId: TenantId,
  quotaId: QuotaId,
  startsAt: Instant,
  /** Hour of the stream: `2026013112`, UTC. */
  hour: text('Hour', { examples: ['1763985600'], maxLength: 10, pattern: '\\d{10}' }),
  endsAt: Instant,
  /** Decimal. */
  used: text('Used', { maxLength: 17, pattern: '-?\\d+' }),
  usedAt: Instant,
  revision: integer(0),
});
export type UsageRow = TypeOf<typeof UsageRow>;

export const usageView: TableView<UsageRow> = table({
  name: 'ratelimit_usage',
  version: 1,
  row: UsageRow,
  key: ['tenantId', 'quotaId', 'startsAt', 'hour'],
  columns: { used: 'bigint' },
});
