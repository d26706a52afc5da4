/** The processes of files. */
import { accountStorageOnUploaded } from './account-storage-on-uploaded/process';
import { activateVersionOnIndexed } from './activate-version-on-indexed/process';
import { deleteFilesOnFolderDeleted } from './delete-files-on-folder-deleted/process';
import { expireVersionOnOpened } from './expire-version-on-opened/process';
import { performDeletionOnHidden } from './perform-deletion-on-hidden/process';
import { placeChunksOnChanged } from './place-chunks-on-changed/process';
import { purgeFileOnTrashed } from './purge-file-on-trashed/process';
import { reconcileFilesOnReconciled } from './reconcile-files-on-reconciled/process';
import { requestIngestionOnUploaded } from './request-ingestion-on-uploaded/process';
import { runStagesOnIngestion } from './run-stages-on-ingestion/process';
import { withdrawChunksOnReplaced } from './withdraw-chunks-on-replaced/process';

export const processes = {
  requestIngestionOnUploaded,
  runStagesOnIngestion,
  activateVersionOnIndexed,
  withdrawChunksOnReplaced,
  placeChunksOnChanged,
  performDeletionOnHidden,
  purgeFileOnTrashed,
  deleteFilesOnFolderDeleted,
  expireVersionOnOpened,
  accountStorageOnUploaded,
  reconcileFilesOnReconciled,
};
