/** Usage of quotas: sums over some seconds, never single requests. */

import * as t from 'io-ts';
import { Instant, integer, record } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';
import { hourOf } from '../../kernel/instant';
import { QuotaId } from '../ids';

const maxAmount = 1_000_000_000_000;

/** In the quota's unit; negative when refunds exceed the use. */
export const UsageAmount = integer(-maxAmount, maxAmount);

export const usage = aggregate(
  { context: 'ratelimit', name: 'usage' },
  {
    UsageAggregated: {
      v: 1,
      data: {
        /** Time of the last use; determines the hour's stream. */
        usedAt: Instant,
        quotas: t.array(
          record('AggregatedUsage', {
            quotaId: QuotaId,
            startsAt: Instant,
            endsAt: Instant,
            amount: UsageAmount,
            /** The hour's total so far, including this amount. */
            total: integer(),
          }),
          'AggregatedUsages',
        ),
      },
    },
  },
);
export type UsageEvent = typeof usage.Event;

/** One stream an hour keeps each short enough to read. */
export const usageStream = (tenant: TenantId, usedAt: Instant): string => usage.stream(tenant, hourOf(usedAt));
