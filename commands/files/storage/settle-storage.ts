/** Settles or releases what an upload session reserved, once it has ended. */
import { isLeft, left, right } from 'fp-ts/Either';
import type { StorageJob } from '../../../domain/files/account-storage-on-uploaded/process';
import { file as fileRules } from '../../../domain/files/file/decider';
import { fileStream } from '../../../domain/files/file/events';
import { TenantId } from '../../../domain/kernel/ids';
import { derivedId } from '../../kernel/deterministic-ids';
import { loadStream } from '../../kernel/load-stream';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { accountStorage } from './account-storage';

export const settleStorage =
  (deps: Pick<WorkerAdapters, 'store' | 'clock' | 'commandMetrics'>): PerformJob<StorageJob> =>
  async ({ tenant, payload: { fileId, versionId }, cause }) => {
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const file = await loadStream(deps, fileRules, fileStream(tenant, fileId));
    if (isLeft(file)) return again(file.left.detail);
    const versions = file.right.kind === 'none' ? [] : file.right.versions;
    const upload = versions.find((one) => one.versionId === versionId)?.upload;
    if (upload === undefined || upload === 'open') return right([]);
    const accounted = await accountStorage(deps, tenant, {
      command: { type: upload === 'expired' ? 'ReleaseReservation' : 'SettleStorage', fileId, versionId },
      actor: 'system:work.files-storage',
      ...cause,
      commandId: derivedId('files-storage', tenant, versionId, 'ended'),
    });
    return isLeft(accounted) ? again(accounted.left.detail) : right([]);
  };
