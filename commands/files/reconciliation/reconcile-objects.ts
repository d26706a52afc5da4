/** Removes objects of a tenant's files that belong to no version that is there. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { tenantPrefix } from '../../../domain/files/content/keys';
import type { TenantId } from '../../../domain/kernel/ids';
import type { BlobEntry } from '../../../infra/ports/blob-store';
import { listBlobs } from '../../kernel/uploads/list-blobs';
import { removeUploaded } from '../../kernel/uploads/remove-uploaded';
import type { WorkerAdapters } from '../../kernel/work-queue/job-handler';
import type { TenantFiles } from './tenant-files';

/** Younger ones may be of an upload, a stage or a deletion that is under way. */
const graceMilliseconds = 86_400_000;

export const listOldObjects = async (
  { blobs, clock }: Pick<WorkerAdapters, 'blobs' | 'clock'>,
  tenant: TenantId,
): Promise<Either<string, readonly BlobEntry[]>> => {
  const listed = await listBlobs(blobs, tenantPrefix(tenant));
  if (isLeft(listed)) return listed;
  const before = new Date(Date.parse(clock.now()) - graceMilliseconds).toISOString();
  return right(listed.right.filter(({ storedAt }) => storedAt < before));
};

/** A file that is being deleted has its own job. */
const isLive = (key: string, tenant: TenantId, { files, deleted }: TenantFiles): boolean => {
  const [fileId = '', versionId] = key.slice(tenantPrefix(tenant).length).split('/');
  const version = files.get(fileId)?.versions.find((one) => one.versionId === versionId);
  return version !== undefined && version.upload !== 'expired' && !deleted.has(fileId);
};

/** `objects` were listed before the log was read: their versions are in it, for a version is opened before its bytes are stored. */
export const removeStrayObjects = async (
  { blobs }: Pick<WorkerAdapters, 'blobs'>,
  {
    tenant,
    objects,
    known,
  }: { readonly tenant: TenantId; readonly objects: readonly BlobEntry[]; readonly known: TenantFiles },
): Promise<Either<string, number>> => {
  let sum = 0;
  for (const { key } of objects) {
    if (isLive(key, tenant, known)) continue;
    const removed = await removeUploaded(blobs, key);
    if (isLeft(removed)) return left(removed.left);
    sum += removed.right;
  }
  return right(sum);
};
