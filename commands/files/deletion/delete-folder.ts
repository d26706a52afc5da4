/** Deletes what lies in a folder that was deleted for ever, file by file, and the names of the folders in it. */
import { isLeft, left, right } from 'fp-ts/Either';
import { fileAccessRules } from '../../../domain/files/access/decider';
import { fileAccessStream } from '../../../domain/files/access/events';
import { type CreatedFile, type FileAccessState, isWithin, placedFile } from '../../../domain/files/access/state';
import type { FolderDeletionJob } from '../../../domain/files/delete-files-on-folder-deleted/process';
import { files } from '../../../domain/files/file/events';
import type { FolderId } from '../../../domain/files/ids';
import { TenantId } from '../../../domain/kernel/ids';
import { entriesOf } from '../../../domain/kernel/persistent-map';
import type { EventStore } from '../../../infra/ports/event-store';
import { derivedId } from '../../kernel/deterministic-ids';
import { forgetKeys } from '../../kernel/forget-keys';
import { handle } from '../../kernel/handle';
import { loadStream } from '../../kernel/load-stream';
import { again, type PerformJob, type WorkerAdapters } from '../../kernel/work-queue/job-handler';
import { reasons } from './destroy-key';

/** Of the tenant, as they were created. Throws when the log goes away. */
async function* createdFiles(store: Pick<EventStore, 'readAll'>, tenant: TenantId): AsyncGenerator<CreatedFile> {
  for await (const { type, data } of store.readAll({
    after: null,
    filter: { streams: [`${files.prefix}${tenant}.`] },
  })) {
    const event = files.decode(type, data);
    if (isLeft(event) || event.right.type !== 'FileCreated') continue;
    const { fileId, folderId, ownerId } = event.right.data;
    yield { fileId, folderId, ownerId };
  }
}

const foldersIn = (access: FileAccessState, folderId: FolderId): readonly FolderId[] =>
  [...entriesOf(access.folders)].flatMap(([, one]) => (isWithin(access, one.folderId, folderId) ? [one.folderId] : []));

/** Each file is decided by itself: what is held stays, and so does what was moved out of the folder before. */
export const deleteFolder =
  (deps: WorkerAdapters): PerformJob<FolderDeletionJob> =>
  async (job, { signal, checkpoint }) => {
    const { tenant, payload } = job;
    if (!TenantId.is(tenant)) return left({ kind: 'permanent', reason: 'The tenant is unknown.' });
    const stream = fileAccessStream(tenant);
    const recorded = (...about: readonly string[]) => ({
      tenant,
      actor: 'system:work.files-folder-deletion',
      ...job.cause,
      commandId: derivedId('files-folder-deletion', tenant, payload.folderId, ...about),
    });
    const access = await loadStream(deps, fileAccessRules, stream);
    if (isLeft(access)) return again(access.left.detail);
    try {
      for await (const file of createdFiles(deps.store, tenant)) {
        if (signal.aborted) return again('It was ended.');
        if (!isWithin(access.right, placedFile(access.right, file).folderId, payload.folderId)) continue;
        const command = { type: 'DeleteFileOfFolder' as const, file };
        const deleted = await handle(deps, fileAccessRules, { stream, command, ...recorded('file', file.fileId) });
        if (isLeft(deleted)) return again(deleted.left.detail);
        await checkpoint();
      }
    } catch (error) {
      return again(error instanceof Error ? error.message : 'The log went away.');
    }
    for (const folderId of foldersIn(access.right, payload.folderId)) {
      const forgotten = await forgetKeys(deps, {
        ...{ tenant, subjectId: folderId, reason: reasons[payload.cause] },
        recorded: (keys) => recorded('forget', folderId, ...keys),
      });
      if (isLeft(forgotten)) return again(forgotten.left);
    }
    return right([]);
  };
