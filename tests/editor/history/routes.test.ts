import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { isRight } from 'fp-ts/Either';
import type { Snapshot } from '../../../domain/editor/snapshot/snapshot';
import { ada, bob, stranger } from '../documents/routes/fixture';
import { clientId, created, edits, stage } from './fixture';

describe('earlier versions of a document', () => {
  let all: Awaited<ReturnType<typeof stage>>;
  let document: string;
  beforeEach(async () => {
    all = await stage();
    document = await all.documents.create();
    await all.write(document, 1, edits);
  });
  afterEach(() => all.close());

  it('are opened as they were', async () => {
    const scenes = ['', '1', '1 2', '1 2', '1', '1 3'].map((ids) => ids.split(' ').filter((id) => id !== ''));
    for (const [version, ids] of scenes.entries()) {
      const { status, body } = await all.request(`GET /v1/documents/${document}/versions/${version}`);
      assert.equal(status, 200);
      const { snapshot, pieces } = body as unknown as { snapshot: Snapshot; pieces: { key: string; base64: string }[] };
      assert.deepEqual([snapshot.documentId, snapshot.version], [document, version]);
      const expected = ids.map((id) => `${clientId}:${id} ${id === '1' && version >= 3 ? 0.5 : 1}`);
      assert.deepEqual(await all.sceneOf(snapshot), expected);
      const [manifest] = pieces;
      const bytes = Buffer.from(String(manifest?.base64), 'base64');
      assert.equal(createHash('sha256').update(bytes).digest('hex'), snapshot.checksum);
      assert.equal((JSON.parse(gunzipSync(bytes).toString()) as { version: number }).version, version);
    }
  });

  it('are copied into a separate document, once per request', async () => {
    const line = `POST /v1/documents/${document}:duplicate`;
    const { status, body } = await all.request(line, ada, {}, 'key-1');
    assert.equal(status, 201);
    await all.write(document, 6, [created(4)]);
    const again = await all.request(line, ada, {}, 'key-1');
    assert.deepEqual(again, { status: 201, body });
    const copy = String(body.documentId);
    assert.notEqual(copy, document);
    const opened = await all.request(`GET /v1/documents/${copy}/versions/5`);
    const { snapshot } = opened.body as unknown as { snapshot: Snapshot };
    assert.deepEqual(await all.sceneOf(snapshot), [`${clientId}:1 0.5`, `${clientId}:3 1`]);
    const about = await all.documents.store.read(`editor.document-acme.${copy}`);
    assert.ok(isRight(about));
    const [made] = about.right.map(({ data }) => data as { readonly copiedFrom: unknown });
    assert.deepEqual(made?.copiedFrom, { documentId: document, version: 5, snapshot });
    await all.write(copy, 6, [created(9)]);
    const latest = await all.request(`GET /v1/documents/${copy}/versions/6`);
    const scene = await all.sceneOf((latest.body as unknown as { snapshot: Snapshot }).snapshot);
    assert.deepEqual(scene, [`${clientId}:1 0.5`, `${clientId}:3 1`, `${clientId}:9 1`]);
    assert.equal((await all.request(`GET /v1/documents/${copy}/versions/4`)).status, 404, 'history stays behind');
  });

  it('are copied from a document with the longest title, which is truncated between characters', async () => {
    const title = `${'x'.repeat(192)}😀 and`;
    assert.equal((await all.documents.request(`PUT /v1/documents/${document}/title`, ada, { title })).status, 200);
    const { status, body } = await all.request(`POST /v1/documents/${document}:duplicate`, ada, {});
    assert.equal(status, 201);
    assert.equal((await all.request(`GET /v1/documents/${body.documentId}/versions/5`)).status, 200);
  });

  it('share their stored pieces with a copy', async () => {
    const before = all.stored.blobs.size;
    const copy = async (): Promise<number> => {
      const { body } = await all.request(`POST /v1/documents/${document}:duplicate`, ada, {});
      assert.ok(body.documentId);
      return all.stored.blobs.size - before;
    };
    assert.equal(await copy(), 4, 'a piece, the clients, the manifest, and that of the copy');
    assert.equal(await copy(), 5, 'a manifest');
  });

  it('are stored for a day if they are only opened, and permanently if a copy or restore uses them', async () => {
    const before = new Set(all.stored.blobs.keys());
    const added = () => [...all.stored.blobs.keys()].filter((key) => !before.has(key));
    await all.request(`GET /v1/documents/${document}/versions/2`);
    await all.request(`GET /v1/documents/${document}/diff?from=3&to=4`);
    assert.ok(added().length > 0 && added().every((key) => key.startsWith('temporary/')), added().join());
    await all.request(`GET /v1/documents/${document}/versions/5`);
    const { body } = await all.request(`POST /v1/documents/${document}:duplicate`, ada, {});
    for (const key of added()) if (key.startsWith('temporary/')) all.stored.blobs.delete(key);
    const copied = await all.request(`GET /v1/documents/${body.documentId}/versions/5`);
    const { snapshot } = copied.body as unknown as { snapshot: Snapshot };
    assert.deepEqual(await all.sceneOf(snapshot), [`${clientId}:1 0.5`, `${clientId}:3 1`]);
  });

  it('are stored again before their pieces expire', async () => {
    const opened = async () =>
      (await all.request(`GET /v1/documents/${document}/versions/2`)).body as unknown as { snapshot: Snapshot };
    await opened();
    for (const key of [...all.stored.blobs.keys()]) if (key.startsWith('temporary/')) all.stored.blobs.delete(key);
    all.later(13 * 3_600_000);
    const { snapshot } = await opened();
    assert.deepEqual(await all.sceneOf(snapshot), [`${clientId}:1 1`, `${clientId}:2 1`]);
  });

  it('require access to the present document', async () => {
    const lines = [
      `GET /v1/documents/${document}/versions/2`,
      `GET /v1/documents/${document}/diff?from=1&to=2`,
      `POST /v1/documents/${document}:duplicate`,
    ];
    const body = (line: string): object | undefined => (line.startsWith('POST') ? {} : undefined);
    for (const line of lines)
      for (const identity of [bob, stranger])
        assert.equal((await all.request(line, identity, body(line))).status, 404, line);
    assert.equal((await all.request(`GET /v1/documents/${document}/versions/6`)).status, 404);
    assert.equal((await all.request(`GET /v1/documents/${document}/diff?from=1&to=99`)).status, 404);
    assert.equal((await all.request(`GET /v1/documents/${document}/diff?from=1`)).status, 400);
    await all.documents.request(`POST /v1/documents/${document}/trash`, ada);
    for (const line of lines) assert.equal((await all.request(line, ada, body(line))).status, 410, line);
  });
});
