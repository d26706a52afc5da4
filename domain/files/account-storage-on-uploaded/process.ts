/** What an upload session reserved is settled when it is completed, and released when it expires. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy } from '../../kernel/process';
import { type FileEvent, files } from '../file/events';
import { FileId, VersionId } from '../ids';

const StorageJob = record('FileStorageJob', { fileId: FileId, versionId: VersionId });
export type StorageJob = TypeOf<typeof StorageJob>;

export const storageQueue: JobQueue<StorageJob> = { name: 'files-storage', payload: StorageJob };

const endedSession = ({ type, data }: FileEvent): StorageJob | undefined =>
  type === 'VersionUploaded' || type === 'VersionExpired'
    ? { fileId: data.fileId, versionId: data.versionId }
    : undefined;

export const accountStorageOnUploaded = policy<FileEvent, never>({
  name: 'account-storage-on-uploaded',
  context: 'files',
  subscribes: [files],
  startFrom: 'first-event',
  key: ({ event }) => endedSession(event)?.fileId,
  answer: ({ event }) => {
    const ended = endedSession(event);
    return ended === undefined ? [] : [enqueueJob(storageQueue, ended, { mostAttempts: 100 })];
  },
});
