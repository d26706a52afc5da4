/** Events of the reconciler of a tenant's videos: what is stored, compared with what their streams name. */
import type { TypeOf } from 'io-ts';
import { Instant, integer, record } from '../../kernel/codec';
import { aggregate } from '../../kernel/family';
import type { TenantId } from '../../kernel/ids';

/** What it found. */
export const VideoReconciliationCounts = record('VideoReconciliationCounts', {
  /** That nothing names, and that are removed. */
  strayObjects: integer(0),
  /** That what is played needs, and that are not stored, or with another size. */
  missingObjects: integer(0),
});
export type VideoReconciliationCounts = TypeOf<typeof VideoReconciliationCounts>;

export const videoReconciliations = aggregate(
  { context: 'video', name: 'reconciliation' },
  {
    /** By the first upload of the tenant. */
    VideoReconciliationBegun: { v: 1, data: {} },
    VideosReconciled: { v: 1, data: { reconciledAt: Instant, counts: VideoReconciliationCounts } },
  },
);
export type VideoReconciliationEvent = typeof videoReconciliations.Event;

/** The only one of a tenant. */
export const reconciledLibrary = 'library';
export const videoReconciliationStream = (tenant: TenantId): string =>
  videoReconciliations.stream(tenant, reconciledLibrary);
