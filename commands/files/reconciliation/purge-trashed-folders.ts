/** Deletes for ever what lies in folders that were in the trash for thirty days, then these folders; and what was left in deleted ones. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { FileAccessCommand } from '../../../domain/files/access/commands';
import { fileAccessRules } from '../../../domain/files/access/decider';
import { fileAccessStream } from '../../../domain/files/access/events';
import { folderOf, holdOn, isInDeletedFolder, placedFile } from '../../../domain/files/access/state';
import type { CreatedFileState } from '../../../domain/files/file/state';
import type { FolderId } from '../../../domain/files/ids';
import { fileLimits } from '../../../domain/files/limits';
import { derivedId } from '../../kernel/deterministic-ids';
import { handle } from '../../kernel/handle';
import type { ReconciliationRun } from './reconciliation-run';
import type { TenantFiles } from './tenant-files';

/** The folder above the file, or one further up, that has been in the trash since that moment or longer. */
const expiredFolder = ({ access, trashedSince }: TenantFiles, file: CreatedFileState, before: string) => {
  for (let next: FolderId | null = placedFile(access, file).folderId; next !== null; ) {
    const since = trashedSince.get(next);
    if (since !== undefined && since <= before) return next;
    next = folderOf(access, next)?.parentFolderId ?? null;
  }
  return undefined;
};

type Purge = Extract<FileAccessCommand, { readonly type: 'PurgeFile' | 'PurgeFolder' | 'DeleteFileOfFolder' }>;

/** How many were deleted by it: one, or none. */
const send = async ({ deps, tenant, id, cause }: ReconciliationRun, command: Purge, about: string) => {
  const sent = await handle(deps, fileAccessRules, {
    ...{ stream: fileAccessStream(tenant), command, tenant, ...cause },
    commandId: derivedId('files-reconciliation', tenant, id, command.type, about),
  });
  return isLeft(sent) ? left(sent.left.detail) : right(sent.right.events.length);
};

const purgeOf = (known: TenantFiles, file: CreatedFileState, before: string): Purge | undefined => {
  const { fileId, folderId, ownerId } = file;
  const created = { fileId, folderId, ownerId };
  const placed = placedFile(known.access, created);
  const isDeleted = known.deleted.has(fileId) || placed.hidden.includes('deleted');
  const releasedAt = known.releasedAt.get(fileId);
  const isReleasedSince = releasedAt !== undefined && releasedAt > before;
  if (isDeleted || holdOn(known.access, fileId) !== undefined || isReleasedSince) return undefined;
  if (isInDeletedFolder(known.access, placed.folderId)) return { type: 'DeleteFileOfFolder', file: created };
  const expired = expiredFolder(known, file, before);
  if (expired === undefined) return undefined;
  return { type: 'PurgeFile', fileId, cause: 'retention', inFolder: { folderId: expired, file: created } };
};

/** Folders that still have a file, anywhere in them. */
const occupiedFolders = ({ files, access, deleted }: TenantFiles): ReadonlySet<FolderId> => {
  const occupied = new Set<FolderId>();
  for (const file of files.values()) {
    const { folderId, hidden } = placedFile(access, file);
    if (deleted.has(file.fileId) || hidden.includes('deleted')) continue;
    for (
      let next = folderId;
      next !== null && !occupied.has(next);
      next = folderOf(access, next)?.parentFolderId ?? null
    )
      occupied.add(next);
  }
  return occupied;
};

/** Each is decided by itself: what is held, or lies elsewhere by then, stays. When a hold is lifted, the days begin again. */
export const purgeTrashedFolders = async (
  run: ReconciliationRun,
  known: TenantFiles,
): Promise<Either<string, number>> => {
  const { deps, tenant } = run;
  const before = new Date(Date.parse(deps.clock.now()) - fileLimits.trashDays * 86_400_000).toISOString();
  let purged = 0;
  for (const file of known.files.values()) {
    const command = purgeOf(known, file, before);
    if (command === undefined) continue;
    const sent = await send(run, command, file.fileId);
    if (isLeft(sent)) return sent;
    purged += sent.right;
  }
  const occupied = occupiedFolders(known);
  for (const [folderId, since] of known.trashedSince) {
    if (since > before || occupied.has(folderId)) continue;
    const sent = await send(run, { type: 'PurgeFolder', folderId }, folderId);
    if (isLeft(sent)) return sent;
  }
  if (purged > 0) deps.log.info({ tenant, files: purged }, 'files of folders in the trash are deleted for ever');
  return right(purged);
};
