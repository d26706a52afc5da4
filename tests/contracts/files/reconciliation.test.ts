/** The reconciler on real stores: each kind of stray is planted, found and repaired, and nothing else is touched. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Client } from '@elastic/elasticsearch';
import { right } from 'fp-ts/Either';
import {
  openReconciliationMetrics,
  performReconciliation,
} from '../../../commands/files/reconciliation/perform-reconciliation';
import { accountStorage } from '../../../commands/files/storage/account-storage';
import { noCommandMetrics } from '../../../commands/kernel/command-metrics';
import type { WorkerAdapters } from '../../../commands/kernel/work-queue/job-handler';
import { versionKey } from '../../../domain/files/content/keys';
import { deletionStream, deletions } from '../../../domain/files/deletion/events';
import type { FileId, FolderId, VersionId } from '../../../domain/files/ids';
import { pipelineVersion } from '../../../domain/files/pipeline';
import type { StorageCommand } from '../../../domain/files/storage/decider';
import { type ReconciledCounts, storageStream, storages } from '../../../domain/files/storage/events';
import { reservedBytes } from '../../../domain/files/storage/state';
import type { Instant } from '../../../domain/kernel/codec';
import type { PrincipalId, TenantId } from '../../../domain/kernel/ids';
import { openIndexedRows } from '../../../infra/adapters/elastic/indexed-rows';
import type { IndexedRows } from '../../../infra/ports/views/indexed-rows';
import { readStorage, storageRules } from '../../../infra/server/files/storage-usage';
import { expectRight } from '../../support/domain/expect-right';
import { jobRun } from '../../support/processes/job-run';
import { versionOf } from '../../support/retrieval/file-history';
import { openRetrievalStage, type RetrievalStage } from '../../support/retrieval/retrieval-stage';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';

const nothing: ReconciledCounts = {
  removedObjects: 0,
  removedDocuments: 0,
  reindexedVersions: 0,
  correctedBytes: 0,
  correctedFiles: 0,
  droppedReservations: 0,
};

describe('the reconciler of files', function () {
  this.timeout(120_000);
  let stage: RetrievalStage;
  let indexedRows: IndexedRows;
  let elastic: Client;
  let number = 0;

  before(async () => {
    stage = await openRetrievalStage();
    indexedRows = openIndexedRows({ ...stage.index, off: 'Elasticsearch is off.' });
    elastic = new Client({ node: stage.index.url });
  });
  after(async () => {
    await Promise.all([indexedRows.close(), elastic.close()]);
    await stage.close();
  });

  /** Days ahead of what is stored: so that it is older than a day. */
  const now = (days: number) => ({
    now: () => new Date(Date.now() + days * 86_400_000).toISOString() as Instant,
  });

  const openTenant = async () => {
    number += 1;
    const tenant = `reconciled-${number}` as TenantId;
    const history = stage.historyOf(tenant);
    const log = recordingLog();
    const deps = { store: stage.store, blobs: stage.blobs, indexedRows, log, metrics: noopMetrics };
    const account = async (command: StorageCommand) =>
      void expectRight(
        await accountStorage({ store: stage.store, clock: now(0), commandMetrics: noCommandMetrics }, tenant, {
          ...{ command, commandId: randomUUID(), correlationId: 'c', actor: 'ada' },
        }),
      );
    const reserve = (fileId: string, { version = 1, expiresAt = '2026-12-31T00:00:00.000Z' } = {}) =>
      account({
        type: 'ReserveStorage',
        ...{ fileId: fileId as FileId, versionId: versionOf(fileId, version), bytes: 1_000 * version },
        ...{ expiresAt: expiresAt as Instant, isNewFile: version === 1 },
      });
    const settle = (fileId: string, version = 1) =>
      account({ type: 'SettleStorage', fileId: fileId as FileId, versionId: versionOf(fileId, version) });
    /** As the services do: with its bytes, its passages and its storage. */
    const addFile = async (fileId: string, chunks: readonly string[] = ['The rent is due.', 'Keys are returned.']) => {
      await reserve(fileId);
      await history.addFile(fileId, chunks);
      await put(versionKey(tenant, fileId as FileId, versionOf(fileId)));
      await settle(fileId);
    };
    const put = async (key: string) => {
      const body = Buffer.from('stored');
      expectRight(await stage.blobs.put({ key, body, size: body.length, contentType: 'text/plain' }));
    };
    const keys = async () =>
      expectRight(await stage.blobs.list({ prefix: `files/${tenant}/` })).blobs.map(({ key }) => key);
    const index = `${stage.prefix}files_chunks`;
    const documents = async () => {
      await elastic.indices.refresh({ index });
      const found = await elastic.search<Record<string, unknown>>({
        ...{ index, size: 100, query: { term: { tenantId: tenant } } },
      });
      return found.hits.hits.map(({ _index, _id = '', _source: source = {} }) => ({ index: _index, id: _id, source }));
    };
    const plant = async (id: string, changed: object) => {
      const [sample] = await documents();
      assert.ok(sample !== undefined);
      const document = { ...sample.source, ...changed };
      await elastic.index({ index: sample.index, id: `${tenant}-${id}`, document, refresh: true });
    };
    const remove = (document: { readonly index: string; readonly id: string }) =>
      elastic.delete({ index: document.index, id: document.id, refresh: true });
    const usage = async () => {
      const state = expectRight(await readStorage({ store: stage.store, cache: undefined }, storageRules, tenant));
      return { used: state.usedBytes, reserved: reservedBytes(state), files: state.files };
    };
    const reconcile = async ({ days = 2, isRequested = true } = {}) => {
      await stage.untilVisible();
      const worker = { ...deps, clock: now(days), commandMetrics: noCommandMetrics } as unknown as WorkerAdapters;
      const job = {
        ...{ id: randomUUID(), queue: 'files-reconciliation', kind: 'k', key: 'k', tenant, attempt: 1, token: 1 },
        ...{ payload: { isRequested }, priority: 0, mostAttempts: 9, deadline: null, deadlineMilliseconds: null },
        cause: { correlationId: 'c', causationId: 'e', depth: 1 },
      };
      const ended = await performReconciliation(worker, openReconciliationMetrics(worker))(job, jobRun());
      assert.deepEqual(ended, right([]));
      const events = expectRight(await stage.store.read(storageStream(tenant, 1)));
      const last = events.at(-1);
      const event = expectRight(storages.decode(last?.type ?? '', last?.data));
      assert.ok(event.type === 'StorageReconciled');
      return { counts: event.data.counts, at: event.data.reconciledAt };
    };
    return {
      tenant,
      history,
      log,
      account,
      reserve,
      settle,
      addFile,
      put,
      keys,
      documents,
      plant,
      remove,
      usage,
      reconcile,
    };
  };

  it('touches nothing of a tenant whose stores agree, with uploads, stages, versions and deletions under way', async () => {
    const { history, addFile, reserve, put, tenant, keys, documents, usage, reconcile, log } = await openTenant();
    await addFile('lease');
    await reserve('open');
    await history.createFile('open');
    await put(versionKey(tenant, 'open' as FileId, versionOf('open')));
    await addFile('trashed');
    await history.access({ type: 'FileHidden', data: { fileId: 'trashed' as FileId, reason: 'trashed' } });
    await addFile('deleting');
    await history.access({ type: 'FileHidden', data: { fileId: 'deleting' as FileId, reason: 'deleted' } });
    await reserve('lease', { version: 2 });
    await history.openVersion('lease', 2);
    await history.completeUpload('lease', 2);
    await history.ingest('lease', { version: 2, chunks: ['Another one.'], isActivated: false });
    await stage.untilVisible();
    const before = [await keys(), (await documents()).map(({ id }) => id).sort(), await usage()];
    const { counts } = await reconcile({ days: 1.01 });
    assert.deepEqual(counts, nothing);
    assert.deepEqual([await keys(), (await documents()).map(({ id }) => id).sort(), await usage()], before);
    assert.deepEqual(log.lines, []);
  });

  it('removes objects of unknown files and versions, and of expired uploads, once they are a day old', async () => {
    const { history, addFile, put, tenant, keys, reconcile, log } = await openTenant();
    await addFile('lease');
    await history.createFile('late');
    await history.ofFile('late', {
      type: 'VersionExpired',
      data: { fileId: 'late' as FileId, versionId: versionOf('late') },
    });
    const before = await keys();
    const strays = [
      versionKey(tenant, 'never' as FileId, 'v' as VersionId),
      versionKey(tenant, 'lease' as FileId, 'never' as VersionId),
      `files/${tenant}/lease/never/p1/chunks-0`,
      versionKey(tenant, 'late' as FileId, versionOf('late')),
      `files/${tenant}/loose`,
    ];
    for (const key of strays) await put(key);
    await put(`files/${tenant}x/lease/v/raw`);
    const soon = await reconcile({ days: 0 });
    assert.equal(soon.counts.removedObjects, 0);
    const { counts } = await reconcile({ days: 1.01 });
    assert.equal(counts.removedObjects, strays.length);
    assert.deepEqual(await keys(), before);
    expectRight(await stage.blobs.head(`files/${tenant}x/lease/v/raw`));
    assert.equal(log.lines.filter(({ fields }) => fields.tenant === tenant).length, 2);
  });

  it('removes passages of unknown, withdrawn and deleted versions, also those that came after their removal', async () => {
    const { history, addFile, tenant, documents, plant, reconcile, account, reserve } = await openTenant();
    await addFile('lease');
    await addFile('gone');
    await stage.untilVisible();
    const others = (await documents()).filter(({ source }) => source.fileId === 'lease').map(({ id }) => id);
    const [late] = (await documents()).filter(({ source }) => source.fileId === 'gone');
    const metadata = { $correlationId: 'c', $causationId: 'c', commandId: 'd', commandHash: 'h', tenant, actor: 'ada' };
    await history.access({ type: 'FileHidden', data: { fileId: 'gone' as FileId, reason: 'deleted' } });
    const at = '2026-11-30T12:00:00.000Z' as Instant;
    const record = (event: (typeof deletions)['Event']) =>
      stage.store.append(deletionStream(tenant, 'gone' as FileId), 'any', [
        { id: randomUUID(), ...deletions.encode(event), metadata: { ...metadata, at } },
      ]);
    const fileId = 'gone' as FileId;
    expectRight(
      await record({
        type: 'DeletionBegun',
        data: { fileId, ownerId: 'ada' as PrincipalId, cause: 'person', begunAt: at },
      }),
    );
    expectRight(await record({ type: 'FileDeleted', data: { fileId, deletedAt: at } }));
    await account({ type: 'ReleaseFile', fileId, uploaded: [{ versionId: versionOf('gone'), bytes: 1_000 }] });
    await reserve('old');
    await history.addFile('old', ['An old passage.']);
    await history.openVersion('old', 2);
    await history.completeUpload('old', 2);
    await history.ingest('old', {
      version: 2,
      chunks: ['A new passage.'],
      replaces: { version: 1, pipelineVersion },
    });
    await stage.untilVisible();
    await plant('unknown', { fileId: 'never', versionId: 'never-v1' });
    await plant('pipeline', { fileId: 'lease', versionId: versionOf('lease'), pipelineVersion: 99 });
    await plant('late', late?.source ?? {});
    const { counts } = await reconcile();
    assert.equal(
      counts.removedDocuments,
      2 + 3 + 1,
      'of the deleted file with the late one, of nothing, of the replaced version',
    );
    await stage.untilVisible();
    const remaining = await documents();
    assert.deepEqual(
      remaining
        .filter(({ source }) => source.fileId === 'lease')
        .map(({ id }) => id)
        .sort(),
      others.sort(),
    );
    assert.deepEqual(
      remaining.filter(({ source }) => source.fileId !== 'lease').map(({ source }) => source.content),
      ['A new passage.'],
    );
    assert.equal((await reconcile()).counts.removedDocuments, 0);
  });

  it('has missing passages of the version that answers indexed again', async () => {
    const { addFile, documents, remove, reconcile } = await openTenant();
    await addFile('lease', ['One.', 'Two.', 'Three.']);
    await addFile('garage');
    await stage.untilVisible();
    const before = (await documents()).map(({ id }) => id).sort();
    const [lost] = (await documents()).filter(({ source }) => source.content === 'Two.');
    assert.ok(lost !== undefined);
    await remove(lost);
    assert.equal((await documents()).length, 4);
    assert.equal((await reconcile()).counts.reindexedVersions, 1);
    await stage.untilVisible();
    assert.deepEqual((await documents()).map(({ id }) => id).sort(), before);
    assert.deepEqual((await reconcile()).counts, nothing);
  });

  it('corrects the storage after a crash between two streams, and drops what no upload will use', async () => {
    const { history, addFile, reserve, usage, reconcile } = await openTenant();
    await addFile('lease');
    await reserve('crashed', { expiresAt: '2026-01-31T00:00:00.000Z' });
    await reserve('opening');
    await history.createFile('uncounted');
    await history.completeUpload('uncounted');
    assert.deepEqual(await usage(), { used: 1_000, reserved: 2_000, files: 3 });
    const { counts } = await reconcile({ days: 0 });
    assert.deepEqual(counts, { ...nothing, correctedBytes: 1_000, droppedReservations: 1 });
    assert.deepEqual(await usage(), { used: 2_000, reserved: 1_000, files: 3 });
    assert.deepEqual((await reconcile({ days: 0 })).counts, nothing);
  });

  it('deletes for ever what lies in a folder that was in the trash for thirty days, and nothing else', async () => {
    const { history, tenant, reserve, reconcile } = await openTenant();
    const folder = (folderId: string, parentFolderId: string | null) =>
      history.access({
        type: 'FolderCreated',
        data: {
          ...{ folderId: folderId as FolderId, name: folderId, parentFolderId: parentFolderId as FolderId | null },
          ownerId: 'ada' as PrincipalId,
        },
      });
    await folder('old', null);
    await folder('inner', 'old');
    await folder('other', null);
    await folder('empty', null);
    const placed = {
      direct: 'old',
      nested: 'inner',
      elsewhere: 'other',
      movedOut: 'old',
      held: 'inner',
      movedIn: 'other',
    };
    for (const [fileId, folderId] of Object.entries(placed)) {
      await reserve(fileId);
      await history.createFile(fileId, { folderId });
    }
    const move = (fileId: string, folderId: string) =>
      history.access({ type: 'FileMoved', data: { fileId: fileId as FileId, folderId: folderId as FolderId } });
    await move('movedOut', 'other');
    await move('movedIn', 'inner');
    const held = { fileId: 'held' as FileId, reason: 'Case 7', heldBy: 'ada' as PrincipalId };
    await history.access({ type: 'FileHeld', data: held });
    for (const folderId of ['old', 'empty'] as FolderId[])
      await history.access({ type: 'FolderTrashed', data: { folderId } });
    const purged = async () => {
      const events = expectRight(await stage.store.read(`files.access-${tenant}.workspace`));
      return events.flatMap(({ type, data }) =>
        type === 'files.FilePurged.v1' ? [(data as { readonly fileId: string }).fileId] : [],
      );
    };
    /** One with a file that is held is not. */
    const deletedFolders = async () => {
      const events = expectRight(await stage.store.read(`files.access-${tenant}.workspace`));
      return events.flatMap(({ type, data }) => (type === 'files.FolderDeleted.v1' ? [data] : []));
    };
    // The history begins on 29 November 2026.
    const daysTo = (date: string): number => (Date.parse(date) - Date.now()) / 86_400_000;
    await reconcile({ days: daysTo('2026-12-28T00:00:00.000Z') });
    assert.deepEqual([await purged(), await deletedFolders()], [[], []]);
    await reconcile({ days: daysTo('2026-12-30T12:00:00.000Z') });
    assert.deepEqual((await purged()).sort(), ['direct', 'movedIn', 'nested']);
    await reconcile({ days: daysTo('2027-01-02T00:00:00.000Z') });
    assert.equal((await purged()).length, 3);
    assert.deepEqual(await deletedFolders(), [{ folderId: 'empty', cause: 'retention' }]);
  });

  it('is done once a day, and at once for an operator', async () => {
    const { addFile, reconcile } = await openTenant();
    await addFile('lease');
    const first = await reconcile({ days: 0, isRequested: false });
    assert.equal((await reconcile({ days: 0.5, isRequested: false })).at, first.at);
    assert.notEqual((await reconcile({ days: 0.5 })).at, first.at);
  });
});
