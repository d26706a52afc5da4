/**
 * Chunks of a file that was renamed, moved or handed over are indexed again with its name and place. So are those of a version that begins
 * to answer, if it was indexed before the change and answers after it.
 */
import type { TypeOf } from 'io-ts';
import { record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { enqueueJob, policy } from '../../kernel/process';
import { type FileAccessEvent, fileAccess } from '../access/events';
import { type FileEvent, files } from '../file/events';
import { FileId } from '../ids';

const PlacementJob = record('FilePlacementJob', { fileId: FileId });
export type PlacementJob = TypeOf<typeof PlacementJob>;

export const placementQueue: JobQueue<PlacementJob> = { name: 'files-placement', payload: PlacementJob };

const changedFile = ({ type, data }: FileEvent | FileAccessEvent): FileId | undefined =>
  type === 'FileRenamed' || type === 'FileMoved' || type === 'FileOwnerChanged' || type === 'VersionActivated'
    ? data.fileId
    : undefined;

export const placeChunksOnChanged = policy<FileEvent | FileAccessEvent, never>({
  name: 'place-chunks-on-changed',
  context: 'files',
  subscribes: [files, fileAccess],
  startFrom: 'first-event',
  key: ({ event }) => changedFile(event),
  answer: ({ event }) => {
    const fileId = changedFile(event);
    return fileId === undefined ? [] : [enqueueJob(placementQueue, { fileId })];
  },
});
