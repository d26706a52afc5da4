/** Retrieval over twins: what is found, how it is shown, and that nothing is found that the caller may not see. */
import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { left } from 'fp-ts/Either';
import type { FileGrantId, FileId, FolderId } from '../../domain/files/ids';
import type { PrincipalId } from '../../domain/kernel/ids';
import { fault } from '../../domain/kernel/rejection';
import { type MemoryStage, openMemoryStage, reader } from '../support/retrieval/memory-stage';
import { sampleEmbedder } from '../support/retrieval/sample-embedder';

interface Result {
  readonly chunkId: string;
  readonly fileId: string;
  readonly score: number;
  readonly match: 'words' | 'meaning';
  readonly snippet: string;
  readonly highlights: readonly { readonly start: number; readonly length: number }[];
  readonly citation: { readonly type: string; readonly pageNumber?: number; readonly boundingBox?: object };
}
interface Found {
  readonly results: readonly Result[];
  readonly degraded: readonly string[];
}

const ada = reader('ada');
const ben = reader('ben');

const find = async (
  stage: Pick<MemoryStage, 'call'>,
  query: string,
  more: object = {},
  identity = ada,
): Promise<Found> => {
  const { status, body } = await stage.call('searchFiles', identity, { body: { query, ...more } });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};
const filesOf = ({ results }: Found): readonly string[] => results.map(({ fileId }) => fileId);

describe('retrieval', () => {
  let stage: MemoryStage;
  const folder = (folderId: string, ownerId = 'ada', parentFolderId: string | null = null) =>
    stage.access({
      type: 'FolderCreated',
      data: {
        folderId: folderId as FolderId,
        name: folderId,
        parentFolderId: parentFolderId as FolderId | null,
        ownerId: ownerId as PrincipalId,
      },
    });
  const share = (grantId: string, resourceType: 'file' | 'folder', resourceId: string, principalId = 'ben') =>
    stage.access({
      type: 'GrantAdded',
      data: {
        grantId: grantId as FileGrantId,
        resourceType,
        resourceId,
        principalType: 'user',
        principalId,
        role: 'viewer',
        grantedBy: 'ada' as PrincipalId,
      },
    });

  beforeEach(async () => {
    stage = openMemoryStage();
    await folder('contracts');
    await folder('old', 'ada', 'contracts');
    await stage.addFile('lease', ['Rent is due monthly.', 'The notice period is three months.'], {
      folderId: 'contracts',
    });
    await stage.addFile('former', ['The notice period was six months.'], { folderId: 'old' });
    await stage.addFile('garage', ['An automobile stands in the garage.']);
    await stage.project();
  });

  it('answers with passages, snippets and where they stand', async () => {
    const { results, degraded } = await find(stage, 'notice periods three');
    assert.deepEqual(degraded, []);
    const [first] = results;
    assert.ok(first !== undefined);
    const { fileId, snippet, highlights, citation } = first;
    assert.deepEqual([fileId, snippet], ['lease', 'The notice period is three months.']);
    assert.deepEqual(
      highlights.map(({ start, length }) => snippet.slice(start, start + length)),
      ['notice', 'period', 'three'],
    );
    assert.deepEqual(
      [citation.type, citation.pageNumber, citation.boundingBox],
      ['page', 2, { x: 0.1, y: 0.2, w: 0.5, h: 0.05 }],
    );
    assert.deepEqual(
      results.map(({ score }) => score),
      results.map(({ score }) => score).toSorted((one, other) => other - one),
    );
  });

  it('finds by words, by meaning, or by both', async () => {
    assert.deepEqual(filesOf(await find(stage, 'car', { mode: 'keyword' })), []);
    assert.equal(filesOf(await find(stage, 'car', { mode: 'semantic' }))[0], 'garage');
    assert.equal(filesOf(await find(stage, 'car'))[0], 'garage');
    assert.deepEqual((await find(stage, 'car', { mode: 'keyword' })).degraded, []);
  });

  it('says of each result whether it has words of the query', async () => {
    const matches = ({ results }: Found) => results.map(({ fileId, match }) => [fileId, match]);
    assert.deepEqual(matches(await find(stage, 'car', { topK: 1 })), [['garage', 'meaning']]);
    const found = new Map((await find(stage, 'months')).results.map(({ snippet, match }) => [snippet, match]));
    assert.equal(found.get('The notice period is three months.'), 'words');
    assert.equal(found.get('Rent is due monthly.'), 'meaning');
  });

  it('finds a phrase in quotes as it stands, by words and by meaning, and leaves out what has an excluded word', async () => {
    const { results } = await find(stage, 'rent');
    assert.ok(results.length > 1);
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      const files = async (query: string) => new Set(filesOf(await find(stage, query, { mode })));
      assert.deepEqual(await files('"Notice, PERIOD" long'), new Set(['lease', 'former']), mode);
      assert.deepEqual(await files('“period is three”'), new Set(['lease']), mode);
      assert.deepEqual(await files('"period notice"'), new Set(), mode);
      // The endings of words count in a phrase, and not in what is excluded.
      assert.deepEqual(await files('"notice periods"'), new Set(), mode);
      assert.deepEqual(await files('"notice period" -months'), new Set(), mode);
      assert.deepEqual(await files('"notice period" -"six month"'), new Set(['lease']), mode);
      assert.deepEqual(await files('-notice'), new Set(), mode);
    }
    const [{ snippet, highlights } = { snippet: '', highlights: [] }] = (await find(stage, '"notice period" three'))
      .results;
    assert.deepEqual(
      highlights.map(({ start, length }) => snippet.slice(start, start + length)),
      ['notice period', 'three'],
    );
  });

  it('says where it could search by words only', async () => {
    await stage.createFile('note');
    await stage.completeUpload('note');
    await stage.ingest('note', { chunks: ['Insurance is paid yearly.'], model: null });
    await stage.project();
    assert.deepEqual((await find(stage, 'insurance', { topK: 1 })).degraded, ['semantic']);
    const away = { ...sampleEmbedder, embed: async () => left(fault('embedder-unavailable', 'Away.')) };
    for (const embedder of [away, { ...sampleEmbedder, dimensions: 3 }]) {
      const found = await find(stage.withEmbedder(embedder), 'notice', { mode: 'semantic' });
      assert.deepEqual(found.degraded, ['semantic']);
      assert.deepEqual(new Set(filesOf(found)), new Set(['lease', 'former']));
    }
  });

  it('searches in files and folders with what is in them, and all where the scope names none', async () => {
    const inScope = async (scope: object) => new Set(filesOf(await find(stage, 'notice', { scope, mode: 'keyword' })));
    assert.deepEqual(await inScope({}), new Set(['lease', 'former']));
    assert.deepEqual(await inScope({ fileIds: [], folderIds: [] }), new Set(['lease', 'former']));
    assert.deepEqual(await inScope({ fileIds: ['lease'] }), new Set(['lease']));
    assert.deepEqual(await inScope({ folderIds: ['old'] }), new Set(['former']));
    assert.deepEqual(await inScope({ folderIds: ['contracts'] }), new Set(['lease', 'former']));
    assert.deepEqual(await inScope({ folderIds: ['never'], fileIds: ['never'] }), new Set());
    await stage.access({ type: 'FileMoved', data: { fileId: 'lease' as FileId, folderId: 'old' as FolderId } });
    assert.deepEqual(await inScope({ folderIds: ['old'] }), new Set(['lease', 'former']));
    await stage.access({ type: 'FileMoved', data: { fileId: 'former' as FileId, folderId: null } });
    assert.deepEqual(await inScope({ folderIds: ['contracts'] }), new Set(['lease']));
  });

  it('finds nothing that is not shared, whatever the scope names, and what is revoked is gone with the answer', async () => {
    const everything = { scope: { fileIds: ['lease', 'former', 'garage'], folderIds: ['contracts', 'old'] } };
    const none: Found = { results: [], degraded: [] };
    assert.deepEqual(await find(stage, 'notice', everything, ben), none);
    assert.deepEqual(await find(stage, 'notice', everything, reader('ada', 'other')), none);
    await share('g1', 'folder', 'contracts');
    assert.deepEqual(new Set(filesOf(await find(stage, 'notice', everything, ben))), new Set(['lease', 'former']));
    await stage.access({ type: 'GrantRevoked', data: { grantId: 'g1' as FileGrantId } });
    assert.deepEqual(await find(stage, 'notice', everything, ben), none);
    await share('g2', 'file', 'lease');
    assert.deepEqual(new Set(filesOf(await find(stage, 'notice', everything, ben))), new Set(['lease']));
    for (const reason of ['trashed', 'quarantined', 'deleted'] as const) {
      await stage.access({ type: 'FileHidden', data: { fileId: 'lease' as FileId, reason } });
      assert.deepEqual(await find(stage, 'notice', everything, ben), none);
      assert.ok(!filesOf(await find(stage, 'notice')).includes('lease'));
      await stage.access({ type: 'FileRevealed', data: { fileId: 'lease' as FileId, reason } });
    }
  });

  it('answers with the version that is active, though the index has others', async () => {
    await stage.openVersion('lease', 2);
    await stage.completeUpload('lease', 2);
    const second = { version: 2, chunks: ['The notice period is four months.'] };
    await stage.ingest('lease', { ...second, isActivated: false });
    await stage.project();
    const scope = { fileIds: ['lease'] };
    const snippets = async () => (await find(stage, 'notice period', { scope })).results.map(({ snippet }) => snippet);
    assert.ok((await snippets()).every((snippet) => !snippet.includes('four')));
    await stage.activate('lease', { ...second, replaces: { version: 1, pipelineVersion: 1 } });
    assert.deepEqual(await snippets(), ['The notice period is four months.']);
  });

  it('fills the answer although many better passages are not to be seen any more', async () => {
    await share('g1', 'folder', 'contracts');
    for (let number = 0; number < 60; number += 1)
      await stage.addFile(`hidden${number}`, ['notice notice notice notice'], { folderId: 'contracts' });
    for (let number = 0; number < 3; number += 1)
      await stage.addFile(`shown${number}`, [`One notice among many other words, number ${number}.`], {
        folderId: 'old',
      });
    await stage.project();
    // The index still has their labels of the folder.
    for (let number = 0; number < 60; number += 1)
      await stage.access({ type: 'FileMoved', data: { fileId: `hidden${number}` as FileId, folderId: null } });
    for (const mode of ['keyword', 'semantic', 'hybrid']) {
      const found = await find(stage, 'notice', { mode, topK: 3 }, ben);
      assert.equal(found.results.length, 3, mode);
      assert.ok(filesOf(found).every((fileId) => !fileId.startsWith('hidden')));
    }
  });

  it('leaves no trace of hidden files in the answer, not even in scores', async () => {
    await share('g1', 'folder', 'contracts');
    const query = (body: object) => find(stage, 'notice period months', { mode: 'keyword', ...body }, ben);
    const before = await query({});
    for (let number = 0; number < 5; number += 1)
      await stage.addFile(`secret${number}`, ['notice period months'], { folderId: 'contracts' });
    await stage.project();
    assert.notDeepEqual(await query({}), before);
    for (let number = 0; number < 5; number += 1)
      await stage.access({ type: 'FileMoved', data: { fileId: `secret${number}` as FileId, folderId: null } });
    assert.deepEqual(await query({}), before);
  });

  it('takes any text as words', async () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.constantFrom('???', '"a" AND (b', 'to be'),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (query) => {
        const { results } = await find(stage, query);
        assert.ok(results.length <= 10);
      }),
      { numRuns: 50 },
    );
  });
});
