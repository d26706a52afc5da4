/** Removes the bytes of an upload that was not completed in time, and later the file, if it never had any. */
import { isLeft, left, right } from 'fp-ts/Either';
import type { FileAccessCommand } from '../../../domain/files/access/commands';
import { versionKey } from '../../../domain/files/content/keys';
import type { ExpiryJob } from '../../../domain/files/expire-version-on-opened/process';
import { file as fileRules } from '../../../domain/files/file/decider';
import { fileStream } from '../../../domain/files/file/events';
import { TenantId } from '../../../domain/kernel/ids';
import { send } from '../../../domain/kernel/process';
import { loadStream } from '../../kernel/load-stream';
import { removeUploaded } from '../../kernel/uploads/remove-uploaded';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';

export const performExpiry =
  ({ store, blobs }: Pick<WorkerAdapters, 'store' | 'blobs'>): PerformJob<ExpiryJob> =>
  async ({ tenant, payload: { fileId, versionId, what } }) => {
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const file = await loadStream({ store }, fileRules, fileStream(tenant, fileId));
    if (isLeft(file)) return again(file.left.detail);
    const versions = file.right.kind === 'none' ? [] : file.right.versions;
    if (what === 'file') {
      const isAbandoned = versions.every(({ upload }) => upload === 'expired');
      const purge: FileAccessCommand = { type: 'PurgeFile', fileId, cause: 'abandoned' };
      return right(isAbandoned ? [send('files.access', 'workspace', purge)] : []);
    }
    if (versions.find((one) => one.versionId === versionId)?.upload !== 'expired') return right([]);
    const removed = await removeUploaded(blobs, versionKey(tenant, fileId, versionId));
    return isLeft(removed) ? again(removed.left) : right([]);
  };
