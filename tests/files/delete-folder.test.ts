/** A folder that was deleted for ever, by a worker: each file in it is deleted, and the names of the folders in it are gone. */
import assert from 'node:assert/strict';
import { isLeft, right } from 'fp-ts/Either';
import { deleteFolder } from '../../commands/files/deletion/delete-folder';
import { noCommandMetrics } from '../../commands/kernel/command-metrics';
import type { WorkerAdapters } from '../../commands/kernel/work-queue/job-handler';
import { type FileAccessEvent, fileAccess, fileAccessStream } from '../../domain/files/access/events';
import {
  deleteFilesOnFolderDeleted,
  folderDeletionQueue,
} from '../../domain/files/delete-files-on-folder-deleted/process';
import type { FileId, FolderId } from '../../domain/files/ids';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import { enqueueJob } from '../../domain/kernel/process';
import { openMemoryEventStore } from '../../infra/adapters/eventstore/memory-event-store';
import { openEncryptingStore } from '../../infra/adapters/vault/encrypting-store';
import { memoryVault } from '../../infra/adapters/vault/memory-vault';
import { givenProcess } from '../kernel/processes/given-process';
import { expectRight } from '../support/domain/expect-right';
import { jobRun } from '../support/processes/job-run';
import { openFileHistory } from '../support/retrieval/file-history';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';

const tenant = 'acme' as TenantId;
const [old, inner, other] = ['old', 'inner', 'other'] as FolderId[] as [FolderId, FolderId, FolderId];
const ada = 'ada' as PrincipalId;

const deleted: FileAccessEvent = { type: 'FolderDeleted', data: { folderId: old, cause: 'person' } };

describe('a folder that is deleted for ever', () => {
  it('is a job, once', () => {
    givenProcess(deleteFilesOnFolderDeleted)
      .when(deleted)
      .answers(enqueueJob(folderDeletionQueue, { folderId: old, cause: 'person' }, { mostAttempts: 100 }));
    givenProcess(deleteFilesOnFolderDeleted).ignores({ type: 'FolderTrashed', data: { folderId: old } });
  });

  const openStage = async () => {
    const vault = memoryVault();
    const store = openEncryptingStore(openMemoryEventStore(), vault);
    const history = openFileHistory({ store, putContent: async () => undefined }, tenant);
    const created = (folderId: FolderId, parentFolderId: FolderId | null): FileAccessEvent => ({
      type: 'FolderCreated',
      data: { folderId, name: `Secret ${folderId}`, parentFolderId, ownerId: ada },
    });
    await history.access(created(old, null), created(inner, old), created(other, null));
    for (const [fileId, folderId] of [
      ['in-it', old],
      ['below', inner],
      ['held', inner],
      ['elsewhere', other],
      ['moved-out', old],
    ] as const)
      await history.createFile(fileId, { folderId });
    await history.access(
      { type: 'FileMoved', data: { fileId: 'moved-out' as FileId, folderId: null } },
      { type: 'FileHeld', data: { fileId: 'held' as FileId, reason: 'Case', heldBy: ada } },
      deleted,
    );
    const deps = {
      ...{ store, vault, log: recordingLog(), metrics: noopMetrics, commandMetrics: noCommandMetrics },
      clock: { now: () => '2026-11-30T12:00:00.000Z' },
    } as unknown as WorkerAdapters;
    const job = {
      ...{ id: 'job-1', queue: 'files-folder-deletion', kind: 'k', key: 'k', tenant, attempt: 1, token: 1 },
      ...{ payload: { folderId: old, cause: 'person' as const }, priority: 0, mostAttempts: 9, deadline: null },
      ...{ deadlineMilliseconds: null, cause: { correlationId: 'c', causationId: 'e', depth: 1 } },
    };
    const events = async (): Promise<readonly FileAccessEvent[]> =>
      expectRight(await store.read(fileAccessStream(tenant))).map(({ type, data }) =>
        expectRight(fileAccess.decode(type, data)),
      );
    return { perform: () => deleteFolder(deps)(job, jobRun()), events, store };
  };

  it('takes every file in it along, but what is held or was moved out, also where it is repeated', async () => {
    const { perform, events } = await openStage();
    assert.deepEqual(await perform(), right([]));
    assert.deepEqual(await perform(), right([]));
    const hidden = (await events()).flatMap((event) => (event.type === 'FileHidden' ? [event.data] : []));
    assert.deepEqual(
      hidden.toSorted((one, two) => (one.fileId < two.fileId ? -1 : 1)),
      [
        { fileId: 'below', reason: 'deleted' },
        { fileId: 'in-it', reason: 'deleted' },
      ],
    );
  });

  it('leaves no name of it, and none of the folders in it', async () => {
    const { perform, events } = await openStage();
    assert.deepEqual(await perform(), right([]));
    const names = (await events()).flatMap((event) =>
      event.type === 'FolderCreated' ? [[event.data.folderId, event.data.name]] : [],
    );
    assert.deepEqual(names, [
      [old, { forgotten: true }],
      [inner, { forgotten: true }],
      [other, 'Secret other'],
    ]);
  });

  it('is tried again while the log is away', async () => {
    const { perform, store } = await openStage();
    const readAll = store.readAll;
    (store as { readAll: unknown }).readAll = () => {
      throw new Error('The log is away.');
    };
    const failed = await perform();
    assert.ok(isLeft(failed) && failed.left.kind === 'transient');
    (store as { readAll: unknown }).readAll = readAll;
    assert.deepEqual(await perform(), right([]));
  });
});
