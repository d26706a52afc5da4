/** Routes of files: what the caller may see, how far a version is, and its bytes; what is not shared answers as what never was. */
import assert from 'node:assert/strict';
import type { FileGrantId, FileId, FolderId, VersionId } from '../../domain/files/ids';
import { ingestionIdOf, ingestionStream } from '../../domain/files/ingestion/events';
import { jobStages, pipelineVersion } from '../../domain/files/pipeline';
import { runStagesOnIngestion } from '../../domain/files/run-stages-on-ingestion/process';
import type { PrincipalId, TenantId } from '../../domain/kernel/ids';
import type { JobRecord } from '../../infra/ports/processes/work-queue';
import { jobKeyOf } from '../../infra/server/ids/derived-id';
import { expectRight } from '../support/domain/expect-right';
import { chunkOf, versionOf } from '../support/retrieval/file-history';
import { type MemoryStage, openMemoryStage, reader } from '../support/retrieval/memory-stage';

const [ada, ben, cem] = ['ada', 'ben', 'cem'].map((one) => reader(one)) as [
  ReturnType<typeof reader>,
  ReturnType<typeof reader>,
  ReturnType<typeof reader>,
];
const stranger = reader('ada', 'other');

interface Item {
  readonly fileId: string;
  readonly filename: string | null;
  readonly role: string;
  readonly parentFolderId: string | null;
}
interface Page {
  readonly items: readonly Item[];
  readonly next_cursor: string | null;
}

describe('queries of files', () => {
  let stage: MemoryStage;
  const grant = (grantId: string, of: { readonly file: string } | { readonly folder: string }, principalId: string) =>
    stage.access({
      type: 'GrantAdded',
      data: {
        grantId: grantId as FileGrantId,
        resourceType: 'file' in of ? 'file' : 'folder',
        resourceId: 'file' in of ? of.file : of.folder,
        principalType: 'user',
        principalId,
        role: 'viewer',
        grantedBy: 'ada' as PrincipalId,
      },
    });
  const folder = (folderId: string, ownerId: string, parentFolderId: string | null = null) =>
    stage.access({
      type: 'FolderCreated',
      data: {
        folderId: folderId as FolderId,
        name: folderId,
        parentFolderId: parentFolderId as FolderId | null,
        ownerId: ownerId as PrincipalId,
      },
    });

  beforeEach(async () => {
    stage = openMemoryStage();
    await folder('contracts', 'ada');
    await folder('old', 'ada', 'contracts');
    await stage.createFile('plan', { name: 'Plan.md', ownerId: 'ben' });
    await stage.addFile('lease', ['The notice period is three months.'], { folderId: 'contracts' });
    await stage.createFile('former', { name: 'Former.pdf', folderId: 'old' });
    await stage.project();
  });

  const list = async (identity = ada, query: object = {}): Promise<Page> => {
    const { status, body } = await stage.call('listFiles', identity, { query });
    assert.equal(status, 200);
    return body;
  };
  const ids = async (identity = ada, query: object = {}) =>
    (await list(identity, query)).items.map(({ fileId }) => fileId);

  describe('the list', () => {
    it('has own files and those of shared folders, the newest first, and nothing of others', async () => {
      assert.deepEqual(await ids(ada), ['former', 'lease']);
      assert.deepEqual(await ids(ben), ['plan']);
      assert.deepEqual(await ids(cem), []);
      assert.deepEqual(await ids(stranger), []);
      await grant('g1', { folder: 'contracts' }, 'ben');
      await grant('g2', { file: 'plan' }, 'cem');
      assert.deepEqual(await ids(ben), ['former', 'lease', 'plan']);
      assert.deepEqual(await ids(ben, { ownership: 'shared' }), ['former', 'lease']);
      assert.deepEqual(await ids(ben, { ownership: 'own' }), ['plan']);
      assert.deepEqual(await ids(cem), ['plan']);
    });

    it('shows the fields of the specification, and the role of the caller', async () => {
      await grant('g1', { folder: 'contracts' }, 'ben');
      const { items } = await list(ben, { folderId: 'contracts' });
      assert.deepEqual(items.length, 1);
      const [{ createdAt, updatedAt, ...item }] = items as unknown as [Item & { createdAt: string; updatedAt: string }];
      assert.ok(createdAt < updatedAt);
      assert.deepEqual(item, {
        fileId: 'lease',
        filename: 'Lease 2026.pdf',
        mimeType: 'application/pdf',
        status: 'READY',
        supportedModalities: [],
        ownerId: 'ada',
        parentFolderId: 'contracts',
        role: 'viewer',
        isHeld: false,
        currentVersionId: 'lease-v1',
        versionNumber: 1,
        sizeBytes: 1_000,
        errorCode: null,
        errorDetail: null,
        progressPercent: 100,
      });
    });

    it('filters by folder, top and status', async () => {
      assert.deepEqual(await ids(ada, { folderId: 'old' }), ['former']);
      assert.deepEqual(await ids(ada, { top: 'true' }), []);
      assert.deepEqual(await ids(ben, { top: 'true' }), ['plan']);
      assert.deepEqual(await ids(ada, { status: 'READY' }), ['lease']);
      assert.deepEqual(await ids(ben, { folderId: 'contracts' }), []);
      const both = await stage.call('listFiles', ada, { query: { folderId: 'old', top: 'true' } });
      assert.equal(both.status, 400);
    });

    it('holds to the access stream where the view is behind', async () => {
      await grant('g1', { folder: 'contracts' }, 'ben');
      assert.deepEqual(await ids(ben, { ownership: 'shared' }), ['former', 'lease']);
      await stage.access(
        { type: 'FileMoved', data: { fileId: 'lease' as FileId, folderId: null } },
        { type: 'FileHidden', data: { fileId: 'former' as FileId, reason: 'trashed' } },
      );
      assert.deepEqual(await ids(ben, { ownership: 'shared' }), []);
      assert.equal((await list(ada)).items[0]?.parentFolderId, null);
      await stage.access({ type: 'GrantRevoked', data: { grantId: 'g1' as FileGrantId } });
      await stage.access({ type: 'FileMoved', data: { fileId: 'lease' as FileId, folderId: 'contracts' as FolderId } });
      assert.deepEqual(await ids(ben), ['plan']);
    });

    it('finds a file that was moved into a folder of the caller', async () => {
      await folder('bens', 'ben');
      await stage.access({ type: 'FileMoved', data: { fileId: 'lease' as FileId, folderId: 'bens' as FolderId } });
      await stage.project();
      assert.deepEqual(await ids(ben), ['lease', 'plan']);
      assert.deepEqual(await ids(ben, { folderId: 'bens' }), ['lease']);
    });

    it('is read page by page without a gap, also where rows are filtered away', async () => {
      await grant('g1', { folder: 'contracts' }, 'ben');
      for (let number = 0; number < 25; number += 1)
        await stage.createFile(`n${number}`, { folderId: 'contracts', ownerId: 'cem' });
      await stage.project();
      // Every second one is in quarantine, which the view's filter does not know.
      for (let number = 0; number < 25; number += 2)
        await stage.access({ type: 'FileHidden', data: { fileId: `n${number}` as FileId, reason: 'quarantined' } });
      const seen: string[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await list(ben, { limit: 4, ...(cursor === undefined ? {} : { cursor }) });
        assert.ok(page.items.length <= 4);
        seen.push(...page.items.map(({ fileId }) => fileId));
        cursor = page.next_cursor;
      } while (cursor !== null);
      const visible = Array.from({ length: 25 }, (_, at) => `n${24 - at}`).filter((_, at) => at % 2 === 1);
      assert.deepEqual(seen, [...visible, 'former', 'lease', 'plan']);
      const { next_cursor } = await list(ben, { limit: 4 });
      const another = await stage.call('listFiles', ada, { query: { limit: 4, cursor: next_cursor } });
      assert.equal(another.status, 400);
    });
  });

  describe('the list, sorted and searched by name', () => {
    /** All pages of one query. */
    const all = async (identity: typeof ada, query: object): Promise<readonly (string | null)[]> => {
      const names: (string | null)[] = [];
      let cursor: string | null | undefined;
      do {
        const page = await list(identity, { ...query, limit: 3, ...(cursor === undefined ? {} : { cursor }) });
        names.push(...page.items.map(({ filename }) => filename));
        cursor = page.next_cursor;
      } while (cursor !== null);
      return names;
    };

    beforeEach(async () => {
      for (const [at, name] of ['Zürich 10.md', 'zurich 9.md', 'Ärger.md', 'Maße.md'].entries())
        await stage.createFile(`z${at}`, { name, folderId: at < 2 ? 'old' : null });
      await stage.access({ type: 'FileHidden', data: { fileId: 'former' as FileId, reason: 'trashed' } });
      await stage.project();
    });

    it('is sorted by name as people sort, in both directions, page by page', async () => {
      const ascending = ['Ärger.md', 'Lease 2026.pdf', 'Maße.md', 'zurich 9.md', 'Zürich 10.md'];
      assert.deepEqual(await all(ada, { sort: 'name' }), ascending);
      assert.deepEqual(await all(ada, { sort: 'name', direction: 'desc' }), ascending.toReversed());
      assert.deepEqual(await all(ada, { sort: 'name', folderId: 'old' }), ['zurich 9.md', 'Zürich 10.md']);
      assert.deepEqual(await all(ben, { sort: 'name' }), ['Plan.md']);
      const { next_cursor } = await list(ada, { sort: 'name', limit: 3 });
      const others = await stage.call('listFiles', ada, { query: { sort: 'changed', limit: 3, cursor: next_cursor } });
      assert.equal(others.status, 400);
    });

    it('is sorted by change and by size', async () => {
      const newest = ['Maße.md', 'Ärger.md', 'zurich 9.md', 'Zürich 10.md', 'Lease 2026.pdf'];
      assert.deepEqual(await all(ada, { sort: 'changed' }), newest);
      assert.deepEqual(await all(ada, { sort: 'changed', direction: 'asc' }), newest.toReversed());
      assert.equal((await all(ada, { sort: 'size' })).length, 5);
    });

    it('finds by a part of the name, whatever its case and its accents, in the folder and below', async () => {
      assert.deepEqual(await all(ada, { name: 'ZURICH' }), ['zurich 9.md', 'Zürich 10.md']);
      assert.deepEqual(await all(ada, { name: 'masse', sort: 'name' }), ['Maße.md']);
      assert.deepEqual(await all(ada, { name: '.md', withinFolderId: 'contracts', sort: 'name' }), [
        'zurich 9.md',
        'Zürich 10.md',
      ]);
      assert.deepEqual(await all(ada, { name: '.md', folderId: 'contracts' }), []);
      assert.deepEqual(await all(ben, { name: '.md', withinFolderId: 'contracts' }), []);
      assert.deepEqual(await all(ada, { name: 'former' }), [], 'it is in the trash');
      assert.deepEqual(await all(ada, { name: 'former', trashed: 'true' }), ['Former.pdf']);
      const both = await stage.call('listFiles', ada, { query: { folderId: 'old', withinFolderId: 'old' } });
      assert.equal(both.status, 400);
    });
  });

  describe('the list of files and folders whose owner is gone', () => {
    const gone = async (query: object = {}) => {
      const admin = { ...ada, scopes: ['files:read', 'files:admin'] };
      const { status, body } = await stage.call('listFileOrphans', admin, { query });
      assert.equal(status, 200);
      return body as { readonly items: readonly { readonly fileId: string; readonly folderId: string }[] };
    };

    it('has those of suspended and compromised principals alone, by their ids, also from the trash', async () => {
      assert.deepEqual((await gone()).items, []);
      await stage.setPrincipals(
        ...(['ben', 'cem', 'ada'] as const).map((principalId, at) => ({
          ...{ tenantId: 'acme' as TenantId, principalId: principalId as PrincipalId, principalType: 'HUMAN' as const },
          ...{ status: (['SUSPENDED', 'COMPROMISED', 'ACTIVE'] as const)[at] ?? 'ACTIVE', securityEpoch: 0 },
          ...{ createdAt: '2026-01-31T12:00:00.000Z' as never, isAdmin: false, isAuditor: false, login: null },
          ...{ name: null, terms: [], revision: 0 },
        })),
      );
      await folder('bens', 'ben');
      await stage.createFile('cems', { name: 'Secret.md', ownerId: 'cem' });
      await stage.access({ type: 'FileHidden', data: { fileId: 'cems' as FileId, reason: 'trashed' } });
      await stage.project();
      assert.deepEqual(
        (await gone()).items.map(({ fileId }) => fileId),
        ['cems', 'plan'],
      );
      assert.ok(!JSON.stringify(await gone()).includes('Secret'));
      assert.deepEqual(
        (await gone({ ownerId: 'ben' })).items.map(({ fileId }) => fileId),
        ['plan'],
      );
      assert.deepEqual((await gone({ ownerId: 'ada' })).items, []);
      assert.deepEqual(
        (await gone({ type: 'folder' })).items.map(({ folderId }) => folderId),
        ['bens'],
      );
      await stage.access({
        type: 'FileOwnerChanged',
        data: { fileId: 'plan' as FileId, ownerId: 'ada' as PrincipalId },
      });
      await stage.access({ type: 'FileHidden', data: { fileId: 'cems' as FileId, reason: 'deleted' } });
      assert.deepEqual((await gone()).items, []);
    });
  });

  it('answer for a file that is not shared as for one that never was', async () => {
    const requests = {
      getFile: {},
      getFileStatus: {},
      listFileVersions: {},
      getFileContent: {},
      getFileChunk: { chunkId: 'c1' },
      listFileChunks: {},
    };
    for (const [operation, params] of Object.entries(requests)) {
      const never = await stage.call(operation, ben, { params: { fileId: 'never', ...params } });
      assert.equal(never.status, 404, operation);
      for (const identity of [ben, cem, stranger])
        assert.deepEqual(await stage.call(operation, identity, { params: { fileId: 'lease', ...params } }), never);
      await stage.access({ type: 'FileHidden', data: { fileId: 'lease' as FileId, reason: 'deleted' } });
      assert.deepEqual(await stage.call(operation, ada, { params: { fileId: 'lease', ...params } }), never);
      await stage.access({ type: 'FileRevealed', data: { fileId: 'lease' as FileId, reason: 'deleted' } });
    }
  });

  it('name a file that the views do not have yet as not visible yet', async () => {
    await stage.createFile('fresh');
    const answer = await stage.call('getFile', ada, { params: { fileId: 'fresh' } });
    assert.equal(answer.status, 503);
    await stage.project();
    assert.equal((await stage.call('getFile', ada, { params: { fileId: 'fresh' } })).status, 200);
  });

  describe('the processing', () => {
    interface Stage {
      readonly name: string;
      readonly status: string;
      readonly reason: string | null;
      readonly waitsFor?: string;
      readonly queuePosition?: number;
      readonly nextTryAt?: string;
      readonly progressPercent?: number;
      readonly tries?: number;
      readonly skipped?: string;
    }
    interface Status {
      readonly status: string;
      readonly stages: readonly Stage[];
      readonly errorCode: string | null;
      readonly reason: string | null;
      readonly versionId: string;
    }
    const statusOf = async (query: object = {}): Promise<Status> => {
      const { status, body } = await stage.call('getFileStatus', ada, { params: { fileId: 'scan' }, query });
      assert.equal(status, 200);
      return body;
    };
    const stagesOf = ({ stages }: Status) => stages.map(({ status }) => status);

    beforeEach(() => stage.createFile('scan'));

    it('names every stage, and which of them is worked on', async () => {
      assert.equal((await statusOf()).status, 'UPLOADING');
      await stage.completeUpload('scan');
      assert.equal((await statusOf()).status, 'UPLOADED');
      await stage.requestIngestion('scan');
      await stage.process('scan', [stage.stageDone('validation'), stage.stageDone('type_detection')]);
      const status = await statusOf();
      assert.deepEqual(
        status.stages.map(({ name }) => name),
        [...jobStages, 'indexing'],
      );
      assert.deepEqual(stagesOf(status), ['READY', 'READY', 'PROCESSING', ...new Array(5).fill('PENDING')]);
      assert.equal(status.status, 'PROCESSING');
    });

    it('tells what the file has nothing for, and what this system does without', async () => {
      await stage.completeUpload('scan');
      await stage.requestIngestion('scan');
      const leftOut = { format: null, outputs: [], count: 0, notice: 'Speech is not transcribed.', isLeftOut: true };
      await stage.process('scan', [
        ...(['validation', 'type_detection', 'text_extraction', 'chunking', 'ocr'] as const).map(stage.stageDone),
        { type: 'StageCompleted', data: { stage: 'transcription', token: 1, result: leftOut } },
      ]);
      const skipped = (await statusOf()).stages.map(({ name, skipped: why }) => [name, why]);
      assert.deepEqual(Object.fromEntries(skipped.filter(([, why]) => why !== undefined)), {
        ocr: 'not_needed',
        transcription: 'left_out',
      });
    });

    describe('of a stage that has a job', () => {
      const due = '2026-01-31T12:10:00.000Z';
      const queued: JobRecord = {
        ...{ id: '7', queue: 'files-reading', kind: 'text_extraction', key: '', tenant: 'acme', correlationId: 'c' },
        ...{
          state: 'waiting',
          priority: 3,
          attempts: 0,
          mostAttempts: 100,
          position: 4,
          progress: null,
          worker: null,
        },
        ...{ claimedAt: null, seenAt: null, enqueuedAt: due, notBefore: due, deadline: null, endedAt: null },
        ...{ isCancelRequested: false, reason: null, failures: [] },
      };
      /** The job is found by the event that it was enqueued for. */
      const currentWith = async (job: Partial<JobRecord>) => {
        const stream = ingestionStream('acme' as TenantId, ingestionIdOf(versionOf('scan'), pipelineVersion));
        const last = expectRight(await stage.store.read(stream, 0)).at(-1);
        stage.work.jobs.set(jobKeyOf(runStagesOnIngestion.name, last?.id ?? ''), { ...queued, ...job });
        const { stages } = await statusOf();
        return stages.find(({ name }) => name === 'text_extraction');
      };
      const waitOf = (current: Stage | undefined) => {
        const { status, waitsFor, queuePosition, nextTryAt, progressPercent, tries } = current ?? assert.fail();
        return { status, waitsFor, queuePosition, nextTryAt, progressPercent, tries };
      };
      const nothing = { waitsFor: undefined, queuePosition: undefined, nextTryAt: undefined, tries: undefined };

      beforeEach(async () => {
        await stage.completeUpload('scan');
        await stage.requestIngestion('scan');
        await stage.process('scan', [stage.stageDone('validation'), stage.stageDone('type_detection')]);
      });

      it('has its position in the queue', async () => {
        const current = await currentWith({});
        assert.deepEqual(waitOf(current), {
          ...nothing,
          ...{ status: 'PENDING', waitsFor: 'capacity', queuePosition: 4, progressPercent: 0 },
        });
        assert.match(current?.reason ?? '', /number 4 in the queue/);
      });

      it('has how far its worker is', async () => {
        const progress = { fraction: 0.254, detail: 'x' };
        assert.deepEqual(waitOf(await currentWith({ state: 'running', attempts: 2, progress })), {
          ...nothing,
          ...{ status: 'PROCESSING', progressPercent: 25, tries: 2 },
        });
      });

      it('says that its worker was lost, before another takes it over and until one does', async () => {
        const lost = await currentWith({ state: 'lost', attempts: 1, position: null });
        assert.deepEqual(waitOf(lost), {
          ...nothing,
          ...{ status: 'PENDING', waitsFor: 'worker_lost', tries: 1, progressPercent: 0 },
        });
        const swept = await currentWith({ attempts: 1, reason: 'The worker did not return.' });
        assert.deepEqual([swept?.waitsFor, swept?.queuePosition, swept?.tries], ['worker_lost', 4, 1]);
        assert.match(swept?.reason ?? '', /Try 1 .* lost/);
      });

      it('says when it is tried again, and what failed', async () => {
        const failed = { state: 'delayed', attempts: 3, position: null, reason: 'The object store is away.' } as const;
        const current = await currentWith(failed);
        assert.deepEqual([current?.waitsFor, current?.nextTryAt], ['next_try', due]);
        assert.match(current?.reason ?? '', /Try 3 failed: The object store is away\./);
      });

      it('says what it was put off for, with the time of the next try', async () => {
        const reason = 'The program that reads PDF is not installed.';
        const deferred = { stage: 'text_extraction', token: 3, reason, attempt: 1 };
        await stage.process('scan', [{ type: 'StageDeferred', data: deferred }]);
        const current = await currentWith({ state: 'delayed', position: null });
        assert.deepEqual([current?.waitsFor, current?.nextTryAt, current?.reason], ['next_try', due, reason]);
      });

      it('says that no worker can take it', async () => {
        stage.work.served.delete('files-reading');
        const current = await currentWith({});
        assert.equal(current?.waitsFor, 'worker');
        assert.match(current.reason ?? '', /bubblewrap/);
        stage.work.served.add('files-reading');
      });

      it('shows no job of another tenant', async () => {
        assert.deepEqual(waitOf(await currentWith({ tenant: 'other' })), {
          ...nothing,
          ...{ status: 'PROCESSING', progressPercent: undefined },
        });
      });
    });

    it('keeps open what the system is set up to do without, of a version that is ready', async () => {
      await stage.completeUpload('scan');
      await stage.requestIngestion('scan');
      const notice = 'Speech is not transcribed on this system.';
      const result = { format: null, outputs: [], count: 0, notice, isLeftOut: true };
      await stage.process('scan', [
        ...jobStages.slice(0, 5).map((one) => stage.stageDone(one)),
        { type: 'StageCompleted', data: { stage: 'transcription', token: 1, result } },
        stage.stageDone('embedding'),
        { type: 'IngestionReady', data: { chunks: 1 } },
      ]);
      const ready = await statusOf();
      const open = ready.stages.filter(({ status }) => status !== 'READY');
      assert.deepEqual(
        [ready.status, open.map(({ name, status, reason }) => [name, status, reason])],
        ['READY', [['transcription', 'PENDING', notice]]],
      );
    });

    it('says why a stage waits, while the file is found by its words', async () => {
      await stage.completeUpload('scan');
      await stage.requestIngestion('scan');
      const done = jobStages.slice(0, -1).map((one) => stage.stageDone(one));
      const waits = { stage: 'embedding', token: 2, reason: 'The embedding service is away.', attempt: 3 };
      await stage.process('scan', [
        ...done,
        { type: 'IngestionPartlyReady', data: { chunks: 1 } },
        { type: 'StageDeferred', data: waits },
      ]);
      const status = await statusOf();
      assert.deepEqual([status.status, status.reason], ['PARTIALLY_READY', 'The embedding service is away.']);
      assert.deepEqual(stagesOf(status).slice(-2), ['PENDING', 'PROCESSING']);
      await stage.process('scan', [stage.stageDone('embedding'), { type: 'IngestionReady', data: { chunks: 1 } }]);
      const ready = await statusOf();
      assert.deepEqual([ready.status, ready.reason, new Set(stagesOf(ready)).size], ['READY', null, 1]);
    });

    it('has the code and the sentence of a failure', async () => {
      await stage.completeUpload('scan');
      await stage.requestIngestion('scan');
      const failed = { stage: 'text_extraction', code: 'ENCRYPTED', detail: 'Upload it without a password.' };
      await stage.process('scan', [{ type: 'IngestionFailed', data: failed }]);
      const status = await statusOf();
      assert.deepEqual(
        [status.status, status.errorCode, status.reason],
        ['FAILED', 'ENCRYPTED', 'Upload it without a password.'],
      );
    });

    it('is of the version that answers, or of the one that is named', async () => {
      await stage.completeUpload('scan');
      await stage.ingest('scan', { chunks: ['Old.'] });
      await stage.openVersion('scan', 2);
      await stage.completeUpload('scan', 2);
      await stage.requestIngestion('scan', 2);
      assert.deepEqual([(await statusOf()).status, (await statusOf()).versionId], ['READY', versionOf('scan')]);
      const second = await statusOf({ versionId: versionOf('scan', 2) });
      assert.deepEqual([second.status, second.versionId], ['PROCESSING', versionOf('scan', 2)]);
      const none = await stage.call('getFileStatus', ada, {
        params: { fileId: 'scan' },
        query: { versionId: 'lease-v1' },
      });
      assert.equal(none.status, 404);
    });
  });

  it('list the versions, the newest first', async () => {
    await stage.openVersion('lease', 2);
    await stage.project();
    const { body } = await stage.call('listFileVersions', ada, { params: { fileId: 'lease' } });
    const { items } = body as {
      readonly items: readonly { versionNumber: number; isCurrent: boolean; status: string }[];
    };
    assert.deepEqual(
      items.map(({ versionNumber, isCurrent, status }) => [versionNumber, isCurrent, status]),
      [
        [2, false, 'UPLOADING'],
        [1, true, 'READY'],
      ],
    );
  });

  it('sign the bytes of a version, to be saved under its name and never shown', async () => {
    const params = { fileId: 'lease' };
    await stage.ofFile('lease', {
      type: 'FileRenamed',
      data: { fileId: 'lease' as FileId, name: 'Ünter (1) "x"; y=\'z\'.html' },
    });
    await stage.project();
    const { status, body } = await stage.call('getFileContent', ada, { params });
    assert.equal(status, 200);
    const { url, versionId } = body as { readonly url: string; readonly versionId: VersionId };
    const signed = JSON.parse(decodeURIComponent(url.slice('https://blobs.test/'.length))) as object;
    assert.deepEqual(signed, {
      key: 'files/acme/lease/lease-v1/raw',
      seconds: 300,
      contentType: 'application/octet-stream',
      contentDisposition: "attachment; filename*=UTF-8''%C3%9Cnter%20%281%29%20%22x%22%3B%20y%3D%27z%27.html",
    });
    assert.equal(versionId, 'lease-v1');
    await stage.openVersion('lease', 2);
    const open = await stage.call('getFileContent', ada, { params, query: { versionId: 'lease-v2' } });
    assert.equal(open.status, 404);
  });

  it('show a chunk with the places of its words, of the version that answers alone', async () => {
    const words = [{ start: 0, length: 5, pageNumber: 1, box: { x: 0.1, y: 0.1, w: 0.1, h: 0.02 } }];
    const sample = { content: 'Clause 7', words };
    await stage.createFile('deed');
    await stage.completeUpload('deed');
    const { content } = await stage.ingest('deed', { chunks: ['First.', sample], isActivated: false });
    const { chunkId } = chunkOf(versionOf('deed'), sample, 1);
    const get = () => stage.call('getFileChunk', ada, { params: { fileId: 'deed', chunkId } });
    assert.equal((await get()).status, 404);
    await stage.activate('deed', { chunks: [] });
    const { status, body } = await get();
    assert.equal(status, 200);
    const chunk = body as { readonly words: unknown; readonly citation: { readonly boundingBox: unknown } };
    assert.deepEqual(chunk.words, words);
    assert.deepEqual(chunk.citation.boundingBox, { x: 0.1, y: 0.2, w: 0.5, h: 0.05 });
    stage.contents.set(content.chunks.key, Buffer.from('{"chunks":[]}'));
    assert.equal((await get()).status, 500);
    stage.contents.clear();
    assert.equal((await get()).status, 404);
  });
});
