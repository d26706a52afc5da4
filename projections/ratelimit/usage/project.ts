import { hourOf } from '../../../domain/kernel/instant';
import { usage } from '../../../domain/ratelimit/usage/events';
import { projection, putRow, streamsOf } from '../../kernel/projection';
import { type UsageRow, usageView } from './view';

export const usageProjection = projection(usageView, [
  streamsOf(usage, {
    UsageAggregated: ({ data: { usedAt, quotas }, at }) =>
      quotas.flatMap(({ quotaId, startsAt, endsAt, total }) =>
        putRow<UsageRow>({
          quotaId,
          startsAt,
          endsAt,
          usedAt,
          hour: hourOf(usedAt),
          used: String(total),
          ...at,
        }),
      ),
  }),
]);
