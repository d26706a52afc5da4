/** Processing of files in workers. */
import { fileAccessRules } from '../../domain/files/access/decider';
import { storageQueue } from '../../domain/files/account-storage-on-uploaded/process';
import { folderDeletionQueue } from '../../domain/files/delete-files-on-folder-deleted/process';
import { expiryQueue } from '../../domain/files/expire-version-on-opened/process';
import { file } from '../../domain/files/file/decider';
import { ingestion } from '../../domain/files/ingestion/decider';
import { deletionQueue } from '../../domain/files/perform-deletion-on-hidden/process';
import { placementQueue } from '../../domain/files/place-chunks-on-changed/process';
import { processes } from '../../domain/files/processes';
import { reconciliationQueue } from '../../domain/files/reconcile-files-on-reconciled/process';
import { ingestionQueue, readingQueue } from '../../domain/files/run-stages-on-ingestion/process';
import { openReaderProgram } from '../../infra/adapters/file-reader/reader-program';
import type { ProcessContext } from '../kernel/context';
import { bindProcesses, commandTarget } from '../kernel/processes/process-binding';
import { queueSpec } from '../kernel/work-queue/job-handler';
import { deleteFolder } from './deletion/delete-folder';
import { openDeletionMetrics } from './deletion/metrics';
import { performDeletion } from './deletion/perform-deletion';
import { performExpiry } from './deletion/perform-expiry';
import { watchDeletions } from './deletion/watch-deletions';
import { performInProcess, performInSandbox, performStage } from './ingestion/perform-stage';
import { placeChunks } from './ingestion/place-chunks';
import { openReaderSandboxes } from './ingestion/reader-sandboxes';
import { openReconciliationMetrics, performReconciliation } from './reconciliation/perform-reconciliation';
import { followDueFiles } from './reindexing/follow-due-files';
import { settleStorage } from './storage/settle-storage';

const stages = queueSpec(ingestionQueue, {
  concurrency: 2,
  perTenant: 2,
  isHeavy: true,
  targets: {},
  open: (adapters) => {
    const reindexing = followDueFiles(adapters);
    return { perform: performStage(adapters, performInProcess), close: reindexing.close };
  },
});

const readings = queueSpec(readingQueue, {
  concurrency: 2,
  perTenant: 2,
  isHeavy: true,
  runsPrograms: true,
  targets: {},
  open: (adapters) => {
    const reader = openReaderProgram();
    const readers = openReaderSandboxes({ sandboxes: adapters.sandboxes, reader });
    return {
      perform: performStage(adapters, performInSandbox(readers)),
      close: async () => {
        await readers.close();
        await reader.close();
      },
    };
  },
});

const placements = queueSpec(placementQueue, {
  concurrency: 2,
  perTenant: 1,
  targets: {},
  open: (adapters) => ({ perform: placeChunks(adapters) }),
});

const toAccess = { 'files.access': commandTarget(fileAccessRules) };

const deletions = queueSpec(deletionQueue, {
  concurrency: 2,
  perTenant: 2,
  targets: {},
  open: (adapters) => ({ perform: performDeletion(adapters, openDeletionMetrics(adapters)) }),
});

const folderDeletions = queueSpec(folderDeletionQueue, {
  concurrency: 1,
  perTenant: 1,
  targets: {},
  open: (adapters) => ({ perform: deleteFolder(adapters) }),
});

const expiries = queueSpec(expiryQueue, {
  concurrency: 1,
  targets: toAccess,
  open: (adapters) => ({ perform: performExpiry(adapters) }),
});

const settlements = queueSpec(storageQueue, {
  concurrency: 2,
  perTenant: 1,
  targets: {},
  open: (adapters) => ({ perform: settleStorage(adapters) }),
});

const reconciliations = queueSpec(reconciliationQueue, {
  concurrency: 1,
  perTenant: 1,
  targets: {},
  open: (adapters) => ({ perform: performReconciliation(adapters, openReconciliationMetrics(adapters)) }),
});

const toIngestion = { 'files.ingestion': commandTarget(ingestion) };
const toFile = { 'files.file': commandTarget(file) };

export const context: ProcessContext<typeof processes> = {
  processes: bindProcesses(processes, {
    requestIngestionOnUploaded: toIngestion,
    runStagesOnIngestion: {},
    activateVersionOnIndexed: toFile,
    withdrawChunksOnReplaced: toIngestion,
    placeChunksOnChanged: {},
    performDeletionOnHidden: {},
    purgeFileOnTrashed: toAccess,
    deleteFilesOnFolderDeleted: {},
    expireVersionOnOpened: toFile,
    accountStorageOnUploaded: {},
    reconcileFilesOnReconciled: {},
  }),
  queues: [stages, readings, placements, deletions, folderDeletions, expiries, settlements, reconciliations],
  background: watchDeletions,
};
