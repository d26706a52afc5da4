/** Reconciles the files of a tenant: the log against object storage, the search index and the sums of its storage. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { ReconciliationJob } from '../../../domain/files/reconcile-files-on-reconciled/process';
import { storage } from '../../../domain/files/storage/decider';
import type { ReconciledCounts } from '../../../domain/files/storage/events';
import { TenantId } from '../../../domain/kernel/ids';
import { readStorage } from '../../../infra/server/files/storage-usage';
import { derivedId } from '../../kernel/deterministic-ids';
import type { PerformJob, WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { accountStorage } from '../storage/account-storage';
import { purgeTrashedFolders } from './purge-trashed-folders';
import { reconcileIndex } from './reconcile-index';
import { listOldObjects, removeStrayObjects } from './reconcile-objects';
import { correctStorage } from './reconcile-storage';
import type { ReconciliationRun } from './reconciliation-run';
import { readTenantFiles, type TenantFiles } from './tenant-files';

/** Two jobs of one tenant within this time are one: the second has no effect. */
const repeatedMilliseconds = 20 * 3_600_000;

type Findings = keyof ReconciledCounts;

export interface ReconciliationMetrics {
  readonly found: (finding: Findings, count: number) => void;
}

export const openReconciliationMetrics = ({ metrics }: Pick<WorkerAdapters, 'metrics'>): ReconciliationMetrics => {
  const findings = metrics.counter({
    name: 'files_reconciled_total',
    help: 'What the reconciler of files repaired: objects, documents, versions, bytes, files, reservations.',
    labels: ['finding'],
  });
  return { found: (finding, count) => findings({ finding }, count) };
};

const readKnown = async ({ deps, tenant }: ReconciliationRun): Promise<Either<string, TenantFiles>> => {
  try {
    return right(await readTenantFiles(deps.store, tenant));
  } catch (error) {
    return left(error instanceof Error ? error.message : 'The log went away.');
  }
};

/** What is known to be stored is read before the log, so that what happens meanwhile is no finding. */
const reconcileFiles = async (run: ReconciliationRun): Promise<Either<string, ReconciledCounts>> => {
  const { deps, tenant } = run;
  const before = await readStorage({ store: deps.store, cache: undefined }, storage, tenant);
  if (isLeft(before)) return left(before.left.detail);
  const objects = await listOldObjects(deps, tenant);
  if (isLeft(objects)) return objects;
  const known = await readKnown(run);
  if (isLeft(known)) return known;
  const corrected = await correctStorage(run, before.right, known.right);
  if (isLeft(corrected)) return corrected;
  const removed = await removeStrayObjects(deps, { tenant, objects: objects.right, known: known.right });
  if (isLeft(removed)) return removed;
  const purged = await purgeTrashedFolders(run, known.right);
  if (isLeft(purged)) return purged;
  const indexed = await reconcileIndex(run, known.right);
  return isLeft(indexed) ? indexed : right({ ...corrected.right, removedObjects: removed.right, ...indexed.right });
};

export const performReconciliation =
  (deps: WorkerAdapters, metrics: ReconciliationMetrics): PerformJob<ReconciliationJob> =>
  async (job, { signal, isLastAttempt, checkpoint }) => {
    const { tenant, payload, attempt, token } = job;
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    /** The next job begins their count again, for a dead letter would be the last reconciliation. */
    const again = async (reason: string) => {
      if (isLastAttempt()) await checkpoint();
      return left({ kind: 'transient' as const, reason });
    };
    const known = await readStorage({ store: deps.store, cache: undefined }, storage, tenant);
    if (isLeft(known)) return again(known.left.detail);
    const { reconciledAt } = known.right;
    const now = deps.clock.now();
    const isRepeated = reconciledAt !== null && Date.parse(now) - Date.parse(reconciledAt) < repeatedMilliseconds;
    if (isRepeated && !payload.isRequested) return right([]);
    const upTo = await deps.store.head();
    if (isLeft(upTo)) return again(upTo.left.detail);
    const id = derivedId('files-reconciliation', tenant, job.id, token, attempt);
    const cause = { actor: 'system:work.files-reconciliation', correlationId: id };
    const counts = await reconcileFiles({ deps, tenant, id, signal, upTo: upTo.right ?? 0n, cause });
    if (isLeft(counts)) return again(counts.left);
    for (const [finding, count] of Object.entries(counts.right)) metrics.found(finding as Findings, count);
    if (Object.values(counts.right).some((count) => count > 0))
      deps.log.warn({ tenant, ...counts.right }, 'the files of a tenant differed from the log and were reconciled');
    const recorded = await accountStorage(deps, tenant, {
      command: { type: 'RecordReconciliation', at: now, counts: counts.right },
      ...cause,
      commandId: derivedId(id, 'recorded'),
    });
    return isLeft(recorded) ? again(recorded.left.detail) : right([]);
  };
