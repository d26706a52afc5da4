/** Names of this context's streams. */
import type { Instant } from '../kernel/codec';
import { contextStreams } from '../kernel/context-streams';
import type { TenantId } from '../kernel/ids';
import { hourOf } from '../kernel/instant';

export const streams = contextStreams('ratelimit', ['usage']);

/** One stream an hour keeps each short enough to read. */
export const usageStream = (tenant: TenantId, usedAt: Instant): string =>
  streams.of<string>('usage')(tenant, hourOf(usedAt));
