/** Rows of files, their versions, names and chunks, as events change them. */
import assert from 'node:assert/strict';
import type { FileId, FolderId } from '../../domain/files/ids';
import { pipelineVersion } from '../../domain/files/pipeline';
import type { PrincipalId } from '../../domain/kernel/ids';
import { chunksProjection } from '../../projections/files/chunks/project';
import { type ChunkRow, chunksView } from '../../projections/files/chunks/view';
import { type FileRow, filesView } from '../../projections/files/files/view';
import { fileNamesView } from '../../projections/files/names/view';
import { type FileVersionRow, fileVersionsView } from '../../projections/files/versions/view';
import { isContent } from '../../projections/kernel/content';
import { collectAllChanges } from '../../projections/kernel/projector/view-batch';
import { expectRight } from '../support/domain/expect-right';
import { versionOf } from '../support/retrieval/file-history';
import { type MemoryStage, openMemoryStage } from '../support/retrieval/memory-stage';
import { vectorOf } from '../support/retrieval/sample-embedder';

const fileId = 'lease' as FileId;

describe('views of files', () => {
  let stage: MemoryStage;
  beforeEach(async () => {
    stage = openMemoryStage();
    await stage.createFile(fileId, { folderId: 'contracts' });
  });

  const fileRow = async (): Promise<FileRow> => {
    await stage.project();
    const row = expectRight(await stage.views.find(filesView, 'acme', { fileId }));
    return row ?? assert.fail('no row');
  };
  const versionRow = async (number = 1): Promise<FileVersionRow> => {
    await stage.project();
    const key = { fileId, versionId: versionOf(fileId, number) };
    const row = expectRight(await stage.views.find(fileVersionsView, 'acme', key));
    return row ?? assert.fail('no row');
  };
  const statuses = async (number = 1) => [(await fileRow()).status, (await versionRow(number)).status];
  const chunkRows = async (): Promise<readonly ChunkRow[]> => {
    await stage.project();
    const order = [
      { field: 'ordinal', direction: 'asc' },
      { field: 'pipelineVersion', direction: 'asc' },
    ] as const;
    return expectRight(await stage.views.page(chunksView, 'acme', { where: {}, order, limit: 100 }));
  };

  it('follow the table of statuses of the first version', async () => {
    assert.deepEqual(await statuses(), ['UPLOADING', 'UPLOADING']);
    await stage.completeUpload(fileId);
    assert.deepEqual(await statuses(), ['UPLOADED', 'UPLOADED']);
    await stage.requestIngestion(fileId);
    assert.deepEqual(await statuses(), ['PROCESSING', 'PROCESSING']);
    await stage.process(fileId, [stage.stageDone('validation'), stage.stageDone('type_detection')]);
    const row = await fileRow();
    assert.deepEqual([row.status, row.format, row.progressPercent], ['PROCESSING', 'pdf', 25]);
    await stage.process(fileId, [{ type: 'IngestionPartlyReady', data: { chunks: 2 } }]);
    assert.deepEqual(await statuses(), ['PARTIALLY_READY', 'PARTIALLY_READY']);
    await stage.activate(fileId, { chunks: [], model: null });
    assert.deepEqual(await statuses(), ['PARTIALLY_READY', 'PARTIALLY_READY']);
    await stage.process(fileId, [{ type: 'IngestionReady', data: { chunks: 2 } }]);
    assert.deepEqual(await statuses(), ['READY', 'READY']);
    const ready = await fileRow();
    assert.deepEqual(
      [ready.currentVersionId, ready.versionNumber, ready.progressPercent, ready.mimeType, ready.sizeBytes],
      [versionOf(fileId), 1, 100, 'application/pdf', 1_000],
    );
  });

  it('say why a stage waits, and why a version failed, until it is tried again', async () => {
    await stage.completeUpload(fileId);
    await stage.requestIngestion(fileId);
    const waits = { stage: 'ocr', token: 1, reason: 'tesseract is not installed.', attempt: 1 };
    await stage.process(fileId, [{ type: 'StageDeferred', data: waits }]);
    assert.equal((await fileRow()).errorDetail, waits.reason);
    const failed = { stage: 'ocr', code: 'CORRUPT', detail: 'The file is damaged.' };
    await stage.process(fileId, [{ type: 'IngestionFailed', data: failed }]);
    const row = await fileRow();
    assert.deepEqual([row.status, row.errorCode, row.errorDetail], ['FAILED', 'CORRUPT', 'The file is damaged.']);
    await stage.process(fileId, [{ type: 'StageRetried', data: { stage: 'ocr', requestedBy: 'ada' } }]);
    const retried = await fileRow();
    assert.deepEqual([retried.status, retried.errorCode, retried.errorDetail], ['PROCESSING', null, null]);
    assert.deepEqual((await versionRow()).status, 'PROCESSING');
  });

  it('keep the status of the version that answers while a newer one is processed, or fails', async () => {
    await stage.completeUpload(fileId);
    await stage.ingest(fileId, { chunks: ['Rent is due.'] });
    await stage.openVersion(fileId, 2);
    await stage.completeUpload(fileId, 2);
    await stage.requestIngestion(fileId, 2);
    assert.deepEqual(await statuses(2), ['READY', 'PROCESSING']);
    const failed = { stage: 'validation', code: 'ENCRYPTED', detail: 'The file is encrypted.' };
    await stage.process(fileId, [{ type: 'IngestionFailed', data: failed }], { version: 2 });
    assert.deepEqual(await statuses(2), ['READY', 'FAILED']);
    const row = await fileRow();
    assert.deepEqual([row.versionNumber, row.sizeBytes, row.errorCode], [1, 1_000, null]);
  });

  it('show the newer version once it answers', async () => {
    await stage.completeUpload(fileId);
    await stage.ingest(fileId, { chunks: ['Rent is due.'] });
    await stage.openVersion(fileId, 2);
    await stage.completeUpload(fileId, 2);
    await stage.ingest(fileId, { version: 2, chunks: ['x'], replaces: { version: 1, pipelineVersion } });
    const row = await fileRow();
    assert.deepEqual([row.currentVersionId, row.versionNumber, row.sizeBytes], [versionOf(fileId, 2), 2, 2_000]);
    assert.deepEqual([(await versionRow(1)).isCurrent, (await versionRow(2)).isCurrent], [false, true]);
  });

  it('keep what answers while the same version is processed again, and when that fails', async () => {
    await stage.completeUpload(fileId);
    await stage.ingest(fileId, { chunks: ['Rent is due.'] });
    await stage.requestIngestion(fileId, 1, pipelineVersion + 1);
    assert.deepEqual(await statuses(), ['READY', 'READY']);
    const failed = { stage: 'ocr', code: 'INTERNAL', detail: 'No.' };
    await stage.process(fileId, [{ type: 'IngestionFailed', data: failed }], { pipelineVersion: pipelineVersion + 1 });
    assert.deepEqual(await statuses(), ['READY', 'READY']);
    assert.deepEqual([(await fileRow()).pipelineVersion, (await versionRow()).errorCode], [pipelineVersion, null]);
  });

  it('show an upload that expired as failed, with a sentence', async () => {
    await stage.ofFile(fileId, { type: 'VersionExpired', data: { fileId, versionId: versionOf(fileId) } });
    assert.deepEqual(await statuses(), ['FAILED', 'EXPIRED']);
    assert.match((await fileRow()).errorDetail ?? '', /upload the file again/);
  });

  it('follow moves, owners and what hides a file, and end with its deletion', async () => {
    const folderId = 'archive' as FolderId;
    await stage.access(
      { type: 'FileMoved', data: { fileId, folderId } },
      { type: 'FileOwnerChanged', data: { fileId, ownerId: 'ben' as PrincipalId } },
      { type: 'FileHidden', data: { fileId, reason: 'trashed' } },
    );
    const row = await fileRow();
    assert.deepEqual([row.folderId, row.ownerId, row.trashedAt !== null], ['archive', 'ben', true]);
    // Of where it was created: lists compare it with the access stream.
    assert.deepEqual(row.aclPrincipals, ['file:lease', 'folder:contracts', 'user:ada']);
    await stage.access(
      { type: 'FileRevealed', data: { fileId, reason: 'trashed' } },
      { type: 'FileHidden', data: { fileId, reason: 'deleted' } },
    );
    await stage.completeUpload(fileId);
    await stage.requestIngestion(fileId);
    const deleted = await fileRow();
    assert.deepEqual(
      [deleted.status, deleted.trashedAt, deleted.deletedAt !== null, deleted.isDeleted],
      ['DELETING', null, true, true],
    );
  });

  it('have the newest name, and none whose key is gone', async () => {
    const name = async () => {
      await stage.project();
      return expectRight(await stage.views.find(fileNamesView, 'acme', { fileId }))?.name;
    };
    assert.equal(await name(), 'Lease 2026.pdf');
    await stage.ofFile(fileId, { type: 'FileRenamed', data: { fileId, name: 'Lease 2027.pdf' } });
    assert.equal(await name(), 'Lease 2027.pdf');
    await stage.ofFile(fileId, { type: 'FileRenamed', data: { fileId, name: { forgotten: true } } });
    assert.equal(await name(), null);
  });

  describe('of chunks', () => {
    const chunks = ['Rent is due.', 'A notice is in writing.'];

    it('are made of contents, first without vectors, then with them', async () => {
      await stage.indexChunks(fileId, { chunks, model: null });
      const [first, ...more] = await chunkRows();
      assert.deepEqual(
        [first?.content, first?.filename, first?.filenameWords, first?.pageNumber, more.length],
        ['Rent is due.', 'Lease 2026.pdf', 'Lease 2026 pdf', 1, 1],
      );
      assert.deepEqual([first?.embedding, first?.embeddingModel], [null, null]);
      assert.deepEqual(first?.aclPrincipals, ['file:lease', 'folder:contracts', 'user:ada']);
      await stage.indexChunks(fileId, { chunks });
      const rows = await chunkRows();
      assert.equal(rows.length, 2);
      const expected = vectorOf('Rent is due.');
      for (const [at, value] of (rows[0]?.embedding ?? []).entries())
        assert.ok(Math.abs(value - (expected[at] ?? 9)) < 1e-6, String(at));
      assert.deepEqual([rows[0]?.embedding?.length, rows[0]?.embeddingModel], [384, 'sample-1']);
      assert.ok(rows.every((row) => chunksView.row.is(row)));
    });

    it('of two pipelines stand beside each other, and one withdraws its own', async () => {
      const first = await stage.indexChunks(fileId, { chunks, pipelineVersion: 1 });
      await stage.indexChunks(fileId, { chunks, pipelineVersion: 2 });
      assert.deepEqual(
        (await chunkRows()).map(({ pipelineVersion }) => pipelineVersion),
        [1, 2, 1, 2],
      );
      await stage.process(fileId, [{ type: 'ChunksWithdrawn', data: { part: 0, content: first } }], {
        pipelineVersion: 1,
      });
      assert.deepEqual(
        (await chunkRows()).map(({ pipelineVersion }) => pipelineVersion),
        [2, 2],
      );
    });

    it('have the vectors that an index takes, and of the model that the event names', async () => {
      const content = await stage.indexChunks(fileId, { chunks });
      const key = content.vectors?.key ?? '';
      const rowsWith = async (list: object) => {
        stage.contents.set(key, Buffer.from(JSON.stringify(list)));
        const events = [];
        for await (const one of stage.store.readAll({ after: null, filter: { streams: ['files.ingestion'] } }))
          events.push(one);
        const { changes, poison } = collectAllChanges(chunksProjection, events);
        assert.equal(poison, undefined);
        return changes.flatMap(({ change }) => {
          assert.ok(isContent(change));
          const made = change.rows(change.references.map(({ key: of }) => stage.contents.get(of) as Buffer));
          return expectRight(made).map((one) => (one as unknown as { readonly row: ChunkRow }).row.embedding);
        });
      };
      const zero = Buffer.alloc(384 * 4).toString('base64');
      const odd = Buffer.alloc(384 * 4, 0xff).toString('base64');
      const model = { model: 'sample-1', dimensions: 384 };
      assert.deepEqual(await rowsWith({ ...model, vectors: [zero, odd] }), [null, null]);
      assert.deepEqual(await rowsWith({ ...model, vectors: [null, 'AAAA'] }), [null, null]);
      assert.deepEqual(await rowsWith({ ...model, dimensions: 3, vectors: ['AAAA', 'AAAA'] }), [null, null]);
      const good = Buffer.from(vectorOf('x').buffer).toString('base64');
      assert.deepEqual(await rowsWith({ ...model, model: 'other', vectors: [good, good] }), [null, null]);
      const [one, two] = await rowsWith({ ...model, vectors: [good] });
      assert.deepEqual([one?.length, two], [384, null]);
    });

    it('are none where their content is gone with the file', async () => {
      await stage.indexChunks(fileId, { chunks });
      stage.contents.clear();
      assert.deepEqual(await chunkRows(), []);
    });
  });
});
