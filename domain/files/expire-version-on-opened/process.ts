/** A version whose upload is not completed in time expires, and its bytes are removed; a file that has no other is deleted some days later. */
import type { TypeOf } from 'io-ts';
import { oneOf, record } from '../../kernel/codec';
import type { JobQueue } from '../../kernel/job-queue';
import { type Action, cancel, enqueueJob, policy, type Send, schedule, send } from '../../kernel/process';
import type { FileCommand } from '../file/decider';
import { type FileEvent, files } from '../file/events';
import { FileId, VersionId } from '../ids';
import { fileLimits } from '../limits';

const ExpiryJob = record('FileExpiryJob', {
  fileId: FileId,
  versionId: VersionId,
  /** `upload`: the bytes of the version. `file`: the whole file, if nothing was ever uploaded. */
  what: oneOf('ExpiredPart', ['upload', 'file']),
});
export type ExpiryJob = TypeOf<typeof ExpiryJob>;

export const expiryQueue: JobQueue<ExpiryJob> = { name: 'files-expiry', payload: ExpiryJob };

type SendExpiry = Send<'files.file', FileCommand>;

const isOfUpload = ({ type }: FileEvent): boolean =>
  type === 'VersionOpened' || type === 'VersionUploaded' || type === 'VersionExpired';

export const expireVersionOnOpened = policy<FileEvent, SendExpiry>({
  name: 'expire-version-on-opened',
  context: 'files',
  subscribes: [files],
  startFrom: 'first-event',
  key: ({ event }) => (isOfUpload(event) ? event.data.fileId : undefined),
  answer: ({ event: { type, data } }): readonly Action<SendExpiry>[] => {
    const { fileId } = data;
    if (type === 'VersionUploaded') return [cancel(data.versionId)];
    if (type === 'VersionOpened') {
      const { versionId, expiresAt } = data;
      const expire = { type: 'ExpireVersion', fileId, versionId, at: expiresAt } as const;
      return [schedule(versionId, expiresAt, send('files.file', fileId, expire))];
    }
    if (type !== 'VersionExpired') return [];
    const { versionId } = data;
    const upload = { fileId, versionId, what: 'upload' } as const;
    const file = { fileId, versionId, what: 'file' } as const;
    return [
      enqueueJob(expiryQueue, upload, { jobKind: 'upload' }),
      // An address that was signed in the session's last minutes takes bytes after its end.
      enqueueJob(expiryQueue, upload, { jobKind: 'upload', delaySeconds: fileLimits.uploadAddressSeconds }),
      enqueueJob(expiryQueue, file, { jobKind: 'file', delaySeconds: fileLimits.abandonedDays * 86_400 }),
    ];
  },
});
