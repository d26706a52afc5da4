/** Names of this context's streams. */
import type { Instant } from '../kernel/codec';
import { streamName, type TenantId } from '../kernel/ids';
import { hourOf } from '../kernel/instant';

/** One stream an hour keeps each short enough to read. */
export const usageStream = (tenant: TenantId, usedAt: Instant): string =>
  streamName({ context: 'ratelimit', aggregate: 'usage', tenant, id: hourOf(usedAt) });
