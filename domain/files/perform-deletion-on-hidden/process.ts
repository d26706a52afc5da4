/** A file that was deleted for ever is removed from every store; and once more when no address takes bytes of it any longer. */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type EnqueueJob, enqueueJob, policy } from '../../kernel/process';
import { type FileAccessEvent, fileAccess } from '../access/events';
import { DeletionCause, type DeletionEvent, deletions } from '../deletion/events';
import { FileId } from '../ids';
import { fileLimits } from '../limits';

const DeletionJob = record('FileDeletionJob', { fileId: FileId, cause: DeletionCause });
export type DeletionJob = TypeOf<typeof DeletionJob>;

export const deletionQueue: JobQueue<DeletionJob> = { name: 'files-deletion', payload: DeletionJob };

/** The last one begins their count again: a deletion is tried until it is done. */
const mostAttempts = 100;

const due = ({ type, data }: FileAccessEvent | DeletionEvent): EnqueueJob | undefined => {
  if (type === 'FilePurged')
    return enqueueJob(deletionQueue, { fileId: data.fileId, cause: data.cause }, { mostAttempts });
  if (type === 'FileHidden' && data.reason === 'deleted')
    return enqueueJob(deletionQueue, { fileId: data.fileId, cause: 'person' }, { mostAttempts });
  if (type !== 'FileDeleted') return undefined;
  const later = { jobKind: 'remains', delaySeconds: fileLimits.uploadAddressSeconds, mostAttempts } as const;
  return enqueueJob(deletionQueue, { fileId: data.fileId, cause: 'person' }, later);
};

export const performDeletionOnHidden = policy<FileAccessEvent | DeletionEvent, never>({
  name: 'perform-deletion-on-hidden',
  context: 'files',
  subscribes: [fileAccess, deletions],
  startFrom: 'first-event',
  key: ({ event }) => (due(event) === undefined ? undefined : (event.data as { readonly fileId: FileId }).fileId),
  answer: ({ event }): readonly EnqueueJob[] => {
    const job = due(event);
    return job === undefined ? [] : [job];
  },
});
