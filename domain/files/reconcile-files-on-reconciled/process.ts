/** The files of a tenant are reconciled a day after its first upload session, and a day after each reconciliation. */
import * as t from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy } from '../../kernel/process';
import { type StorageEvent, storages } from '../storage/events';

const ReconciliationJob = record('FileReconciliationJob', {
  /** By an operator: also when the last one was a short time ago. */
  isRequested: t.boolean,
});
export type ReconciliationJob = t.TypeOf<typeof ReconciliationJob>;

export const reconciliationQueue: JobQueue<ReconciliationJob> = {
  name: 'files-reconciliation',
  payload: ReconciliationJob,
};

const reconciliationSeconds = 86_400;

const isBeginning = ({ type, data }: StorageEvent): boolean =>
  type === 'StorageReconciled' || (type === 'StorageSegmentBegun' && data.segment === 1);

export const reconcileFilesOnReconciled = policy<StorageEvent, never>({
  name: 'reconcile-files-on-reconciled',
  context: 'files',
  subscribes: [storages],
  startFrom: 'first-event',
  key: ({ event, entityId }) => (isBeginning(event) ? entityId : undefined),
  answer: ({ event }) =>
    isBeginning(event)
      ? [
          enqueueJob(
            reconciliationQueue,
            { isRequested: false },
            { delaySeconds: reconciliationSeconds, mostAttempts: 100 },
          ),
        ]
      : [],
});
