/** What a reconciliation of one tenant works with. */
import type { TenantId } from '../../../domain/kernel/ids';
import type { WorkerAdapters } from '../../kernel/work-queue/job-handler';

export interface ReconciliationRun {
  readonly deps: Pick<
    WorkerAdapters,
    'store' | 'cache' | 'blobs' | 'indexedRows' | 'clock' | 'log' | 'metrics' | 'commandMetrics'
  >;
  readonly tenant: TenantId;
  /** Another one for each attempt: what it finds is of this attempt alone. */
  readonly id: string;
  readonly signal: AbortSignal;
  /** The end of the log before it was read: what later events write is left alone. */
  readonly upTo: bigint;
  /** A conversation of its own: reconciliations follow each other without end. */
  readonly cause: { readonly actor: string; readonly correlationId: string };
}
