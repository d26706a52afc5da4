/** Names of this context's streams. */
import { contextStreams } from '../kernel/context-streams';
import { TenantId } from '../kernel/ids';

export const streams = contextStreams('platform', ['skips']);

const tenant = 'platform';
if (!TenantId.is(tenant)) throw new Error('the platform has no valid name');
export const platformTenant: TenantId = tenant;

/** What the views, and what the processes, of the whole installation skip. */
export const skipsStream = (skippedBy: 'projections' | 'processes'): string =>
  streams.of<string>('skips')(platformTenant, skippedBy);
