/** What lies in a folder that was deleted for ever is deleted, file by file, by a worker that finds it in the log. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy } from '../../kernel/process';
import { type FileAccessEvent, FolderDeletionCause, fileAccess } from '../access/events';
import { FolderId } from '../ids';

const FolderDeletionJob = record('FolderDeletionJob', { folderId: FolderId, cause: FolderDeletionCause });
export type FolderDeletionJob = TypeOf<typeof FolderDeletionJob>;

export const folderDeletionQueue: JobQueue<FolderDeletionJob> = {
  name: 'files-folder-deletion',
  payload: FolderDeletionJob,
};

export const deleteFilesOnFolderDeleted = policy<FileAccessEvent, never>({
  name: 'delete-files-on-folder-deleted',
  context: 'files',
  subscribes: [fileAccess],
  startFrom: 'first-event',
  key: ({ event: { type, data } }) => (type === 'FolderDeleted' ? data.folderId : undefined),
  answer: ({ event: { type, data } }) =>
    type === 'FolderDeleted' ? [enqueueJob(folderDeletionQueue, data, { mostAttempts: 100 })] : [],
});
