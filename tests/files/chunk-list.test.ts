/** The passages of a file in its order: around a citation, page by page, and only for callers that may see the file now. */
import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import type { FileGrantId, FileId } from '../../domain/files/ids';
import type { PrincipalId } from '../../domain/kernel/ids';
import { chunkOf, versionOf } from '../support/retrieval/file-history';
import { type MemoryStage, openMemoryStage, reader } from '../support/retrieval/memory-stage';

const ada = reader('ada');
const ben = reader('ben');
const stranger = reader('ada', 'other');

interface Page {
  readonly items: readonly { readonly chunkId: string; readonly ordinal: number; readonly content: string }[];
  readonly next_cursor: string | null;
  readonly versionId: string | null;
  readonly total: number;
}

const passages = Array.from({ length: 12 }, (_, at) => `Clause ${at}.`);
const idOf = (at: number): string => chunkOf(versionOf('lease'), { content: passages[at] ?? '' }, at).chunkId;

describe('the passages of a file', () => {
  let stage: MemoryStage;

  /** The last passages are in a second part, as those of a long file. */
  const addSecondPart = async (contents: readonly string[], first: number): Promise<void> => {
    const chunks = contents.map((content, at) => chunkOf(versionOf('lease'), { content }, first + at));
    const bytes = Buffer.from(JSON.stringify({ chunks }));
    const key = 'files/acme/lease/chunks-1';
    stage.contents.set(key, bytes);
    const place = { name: 'Lease 2026.pdf', folderId: null, ownerId: 'ada' as PrincipalId };
    const content = {
      chunks: { key, sha256: hash('sha256', bytes, 'hex'), size: bytes.length },
      count: chunks.length,
      vectors: null,
    };
    await stage.process('lease', [
      { type: 'ChunksIndexed', data: { part: 1, content, embeddingModel: null, ...place } },
    ]);
  };

  beforeEach(async () => {
    stage = openMemoryStage();
    await stage.addFile('lease', passages.slice(0, 8));
    await addSecondPart(passages.slice(8), 8);
    await stage.access({
      type: 'GrantAdded',
      data: {
        grantId: 'g1' as FileGrantId,
        resourceType: 'file',
        resourceId: 'lease',
        principalType: 'user',
        principalId: 'ben',
        role: 'viewer',
        grantedBy: 'ada' as PrincipalId,
      },
    });
  });

  const call = (identity = ada, query: object = {}, fileId = 'lease') =>
    stage.call('listFileChunks', identity, { params: { fileId }, query });
  const page = async (identity = ada, query: object = {}): Promise<Page> => {
    const { status, body } = await call(identity, query);
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const ordinals = ({ items }: Page) => items.map(({ ordinal }) => ordinal);

  it('are read page by page through all parts, without a gap', async () => {
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { items, next_cursor, total, versionId } = await page(ben, { limit: 5, ...(cursor ? { cursor } : {}) });
      assert.deepEqual([total, versionId], [12, 'lease-v1']);
      seen.push(...items.map(({ content }) => content));
      cursor = next_cursor;
    } while (cursor !== null);
    assert.deepEqual(seen, passages);
  });

  it('are those around a chunk, wherever it stands', async () => {
    assert.deepEqual(ordinals(await page(ada, { around: idOf(8), limit: 5 })), [6, 7, 8, 9, 10]);
    assert.deepEqual(ordinals(await page(ada, { around: idOf(0), limit: 3 })), [0, 1, 2]);
    assert.deepEqual(ordinals(await page(ada, { around: idOf(11), limit: 5 })), [9, 10, 11]);
    assert.deepEqual(ordinals(await page(ada, { around: idOf(7), limit: 1 })), [7]);
  });

  it('are refused around an unknown chunk, with a cursor of another file, and around one with a cursor', async () => {
    assert.equal((await call(ada, { around: 'never' })).status, 404);
    const { next_cursor } = await page(ada, { limit: 5 });
    await stage.addFile('plan', ['Rooms.']);
    assert.equal((await call(ada, { cursor: next_cursor }, 'plan')).status, 400);
    const both = await call(ada, { cursor: next_cursor, around: idOf(1) });
    assert.equal(both.status, 400);
    assert.match(JSON.stringify(both.body), /query\/around/);
  });

  it('are none before a version answers', async () => {
    await stage.createFile('fresh');
    const { status, body } = await call(ada, {}, 'fresh');
    assert.deepEqual([status, body], [200, { items: [], next_cursor: null, versionId: null, total: 0 }]);
    assert.equal((await call(ada, { around: idOf(0) }, 'fresh')).status, 404);
  });

  it('answer for what is not shared, revoked or trashed as for what never was', async () => {
    const never = await call(ben, {}, 'never');
    assert.equal(never.status, 404);
    for (const identity of [reader('cem'), stranger]) assert.deepEqual(await call(identity), never);
    await stage.access({ type: 'FileHidden', data: { fileId: 'lease' as FileId, reason: 'trashed' } });
    for (const identity of [ada, ben]) assert.deepEqual(await call(identity), never);
    await stage.access({ type: 'FileRevealed', data: { fileId: 'lease' as FileId, reason: 'trashed' } });
    assert.equal((await page(ben)).items.length, 12);
    await stage.access({ type: 'GrantRevoked', data: { grantId: 'g1' as FileGrantId } });
    assert.deepEqual(await call(ben), never);
  });

  it('are not answered with when access is revoked while they are read', async () => {
    const never = await call(ben, {}, 'never');
    const get = stage.contents.get.bind(stage.contents);
    let revoked: Promise<unknown> | undefined;
    stage.contents.get = (key) => {
      revoked ??= stage.access({ type: 'GrantRevoked', data: { grantId: 'g1' as FileGrantId } });
      return get(key);
    };
    const answer = await call(ben);
    await revoked;
    assert.deepEqual(answer, never);
  });

  it('of a version that was replaced have no page more', async () => {
    const { next_cursor } = await page(ada, { limit: 5 });
    await stage.openVersion('lease', 2);
    await stage.completeUpload('lease', 2);
    await stage.ingest('lease', {
      version: 2,
      chunks: ['A new clause.'],
      replaces: { version: 1, pipelineVersion: 1 },
    });
    assert.equal((await call(ada, { cursor: next_cursor })).status, 400);
    assert.equal((await call(ada, { around: idOf(1) })).status, 404);
    assert.deepEqual(
      (await page(ada)).items.map(({ content }) => content),
      ['A new clause.'],
    );
  });

  it('of a version that was replaced are read by its id, as they were cited, and by nobody else', async () => {
    await stage.openVersion('lease', 2);
    await stage.completeUpload('lease', 2);
    await stage.ingest('lease', {
      version: 2,
      chunks: ['A new clause.'],
      replaces: { version: 1, pipelineVersion: 1 },
    });
    const old = { around: idOf(8), limit: 3, versionId: versionOf('lease') };
    const { items, versionId, total } = await page(ben, old);
    assert.deepEqual([items.map(({ ordinal }) => ordinal), versionId, total], [[7, 8, 9], 'lease-v1', 12]);
    const chunk = (identity = ben, query: object = { versionId: versionOf('lease') }) =>
      stage.call('getFileChunk', identity, { params: { fileId: 'lease', chunkId: idOf(8) }, query });
    assert.deepEqual([(await chunk()).status, (await chunk(ben, {})).status], [200, 404]);
    assert.equal((await chunk(ben, { versionId: 'plan-v1' })).status, 404);
    assert.equal((await call(ben, { versionId: 'plan-v1' })).status, 404);
    for (const answer of [await call(reader('cem'), old), await chunk(reader('cem')), await chunk(stranger)])
      assert.equal(answer.status, 404);
    await stage.access({ type: 'GrantRevoked', data: { grantId: 'g1' as FileGrantId } });
    assert.deepEqual([(await call(ben, old)).status, (await chunk()).status], [404, 404]);
  });

  it('are a fault where a part is not what was stored', async () => {
    stage.contents.set('files/acme/lease/chunks-1', Buffer.from('{"chunks":[]}'));
    assert.equal((await page(ada, { limit: 8 })).items.length, 8);
    assert.equal((await call(ada, { limit: 9 })).status, 500);
  });
});
