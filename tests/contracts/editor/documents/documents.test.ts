import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { nodeId } from '../../../editor/documents/recorded';
import {
  ada,
  bob,
  cem,
  type DocumentsStage,
  someone,
  startDocuments,
  stranger,
} from '../../../editor/documents/routes/fixture';
import { type Platform, startPlatform, type TestResponse } from '../../read-api/platform/fixture';
import { done, edit, invite } from './recording';

describe('documents on a real log and a real Postgres', () => {
  let platform: Platform;
  let stage: DocumentsStage;
  before(async () => {
    platform = await startPlatform();
    stage = await startDocuments(platform.store);
    for (const one of ['ada', 'bob', 'cem']) await stage.register(one);
  });
  after(async () => {
    await stage.close();
    await platform.close();
  });

  const get = (path: string, identity: Identity, position?: bigint): Promise<TestResponse> =>
    platform.get(path, identity, position);
  const titles = ({ body }: TestResponse): readonly unknown[] => body.items.map(({ title }) => title);

  it('are served in their current state to members only', async () => {
    const documentId = await stage.create(ada, 'Shown');
    await invite(stage, { documentId, who: bob, role: 'viewer' });
    const position = await edit(stage, documentId);
    await done(stage.request(`PUT /v1/documents/${documentId}/versions/2/name`, ada, { name: 'Reviewed' }));
    const path = `/v1/documents/${documentId}`;
    const { body, headers } = await get(path, bob, position);
    const { createdAt, updatedAt, ...fixed } = body;
    assert.deepEqual(fixed, {
      id: documentId,
      tenantId: 'acme',
      title: 'Shown',
      headVersion: 3,
      homeRegion: 'local',
      createdBy: 'ada',
      role: 'viewer',
      status: 'active',
      trashedAt: null,
      linkRole: null,
      copiedFrom: null,
    });
    assert.ok(createdAt !== undefined && updatedAt !== undefined);
    assert.equal(headers.get('etag'), 'W/"3"');
    for (const tail of [
      '',
      '/members',
      '/versions',
      '/snapshot',
      '/operations?afterVersion=0',
      `/nodes/${nodeId(1)}/activity`,
    ])
      for (const other of [cem, stranger]) assert.equal((await get(`${path}${tail}`, other)).status, 404, tail);
    const members = (await get(`${path}/members`, bob)).body.items.map(({ principalId, role }) => [principalId, role]);
    assert.deepEqual(members, [
      ['ada', 'owner'],
      ['bob', 'viewer'],
    ]);
    const versions = (await get(`${path}/versions`, bob, position)).body.items;
    assert.deepEqual(
      versions.map(({ kind, version }) => [kind, version]),
      [
        ['edits', 3],
        ['named', 2],
        ['edits', 2],
      ],
    );
    assert.equal((await get(`${path}/snapshot`, bob, position)).body.version, 2);
    const activity = (await get(`${path}/nodes/${nodeId(1)}/activity`, bob, position)).body.items;
    assert.deepEqual(
      activity.map(({ version, actorId }) => [version, actorId]),
      [
        [3, 'bob'],
        [1, 'ada'],
      ],
    );
    const operations = (await get(`${path}/operations?afterVersion=1&limit=1`, bob)).body;
    assert.deepEqual([operations.toVersion, operations.nextAfterVersion, operations.headVersion], [2, 2, 3]);
    assert.equal((await get(`${path}/invitations`, bob)).body.code, 'role-too-low');
    assert.equal((await get(`${path}/invitations`, ada)).body.items.length, 1);
  });

  it('close at once for a removed member', async () => {
    const documentId = await stage.create(ada, 'Taken');
    const path = `/v1/documents/${documentId}`;
    await invite(stage, { documentId, who: bob, role: 'editor' });
    assert.equal((await get(path, bob)).status, 200);
    await done(stage.request(`DELETE ${path}/members/bob`, ada));
    assert.equal((await platform.call(path, bob)).status, 404);
    await done(stage.request(`POST ${path}/trash`, ada));
    assert.equal((await get(path, ada)).body.status, 'trashed');
    await done(stage.request(`DELETE ${path}`, ada));
    assert.equal((await platform.call(path, ada)).status, 410);
  });

  it('are listed by what they are to the caller, by title, and page by page', async () => {
    const made = [];
    for (const title of ['Alpha', 'beta', 'Gamma']) made.push(await stage.create(cem, title));
    const theirs = await stage.create(ada, 'Alphabet');
    const position = await invite(stage, { documentId: theirs, who: cem, role: 'viewer' });
    const gone = await done(stage.request(`POST /v1/documents/${made[2]}/trash`, cem));
    const list = (query: string, identity = cem) => get(`/v1/documents?${query}`, identity, gone.position);
    assert.ok(gone.position > position);
    assert.deepEqual(titles(await list('order=title')), ['Alpha', 'Alphabet', 'beta']);
    assert.deepEqual(titles(await list('order=title&which=mine')), ['Alpha', 'beta']);
    assert.deepEqual(titles(await list('which=shared')), ['Alphabet']);
    assert.deepEqual(titles(await list('which=trashed')), ['Gamma']);
    assert.deepEqual(titles(await list('order=title&search=LPHA')), ['Alpha', 'Alphabet']);
    const first = await list('order=created&limit=2');
    assert.deepEqual(titles(first), ['Alphabet', 'beta']);
    const second = await list(`order=created&limit=2&cursor=${String(first.body.next_cursor)}`);
    assert.deepEqual([titles(second), second.body.next_cursor], [['Alpha'], null]);
    assert.deepEqual(titles(await list('which=all', { ...cem, tenantId: 'other' })), []);
  });

  it('list a leaving owner’s documents for administrators, who can appoint a new owner', async () => {
    const dee = someone('dee', 'acme', ['documents:admin']);
    await stage.register('fay');
    const fay = someone('fay');
    const documentId = await stage.create(fay, 'Left behind');
    await stage.suspend('fay');
    const { position } = await done(
      stage.request(`POST /v1/documents/${documentId}/owners`, dee, { principalId: 'bob' }),
    );
    const held = await get('/v1/principals/fay/documents?role=owner', dee, position);
    assert.deepEqual(
      held.body.items.map((item) => [item.documentId, item.role, item.title]),
      [[documentId, 'owner', undefined]],
    );
    assert.equal((await get('/v1/principals/fay/documents', ada, position)).status, 403);
    assert.deepEqual(
      (await get('/v1/principals/fay/documents', { ...dee, tenantId: 'other' }, position)).body.items,
      [],
    );
    assert.equal((await get(`/v1/documents/${documentId}`, bob, position)).body.role, 'owner');
  });

  it('are all listed for administrators with titles and owners, without access to their contents', async () => {
    const dee = someone('dee', 'acme', ['documents:admin', 'documents:read']);
    const documentId = await stage.create(ada, 'Harbour plan');
    const position = await invite(stage, { documentId, who: cem, role: 'viewer' });
    const found = await get('/v1/tenant/documents?search=HARBOUR', dee, position);
    assert.deepEqual(
      found.body.items.map((item) => [item.documentId, item.title, item.owners, item.status]),
      [[documentId, 'Harbour plan', ['ada'], 'active']],
    );
    const path = `/v1/tenant/documents/${documentId}`;
    const [one, own] = [await get(path, dee, position), await get(path, { ...cem, scopes: dee.scopes }, position)];
    assert.deepEqual([one.body.title, one.body.role, own.body.role], ['Harbour plan', null, 'viewer']);
    const members = (await get(`${path}/members`, dee, position)).body.items;
    assert.deepEqual(
      members.map(({ principalId, role }) => [principalId, role]),
      [
        ['ada', 'owner'],
        ['cem', 'viewer'],
      ],
    );
    for (const tail of ['', '/members', '/versions', '/snapshot', '/operations?afterVersion=0'])
      assert.equal((await get(`/v1/documents/${documentId}${tail}`, dee, position)).status, 404, tail);
    const versions = await get(`${path}/versions`, dee, position);
    assert.deepEqual([versions.status, versions.body.items], [200, []]);
    for (const tail of ['', `/${documentId}`, `/${documentId}/members`, `/${documentId}/versions`])
      assert.equal((await get(`/v1/tenant/documents${tail}`, bob, position)).status, 403, tail);
    const elsewhere = { ...dee, tenantId: 'other' };
    assert.deepEqual((await get('/v1/tenant/documents', elsewhere, position)).body.items, []);
    assert.equal((await get(path, elsewhere, position)).status, 404);
    for (const tail of ['members', 'versions'])
      assert.deepEqual((await get(`${path}/${tail}`, elsewhere, position)).body.items, [], tail);
  });

  it('notify people of invitations to them', async () => {
    const documentId = await stage.create(ada, 'Invited');
    const path = `POST /v1/documents/${documentId}/invitations`;
    const { position } = await done(stage.request(path, ada, { role: 'editor', principalId: 'cem' }));
    const own = await get('/v1/document-invitations?status=open', cem, position);
    assert.deepEqual(
      own.body.items.map(({ title, role }) => [title, role]),
      [['Invited', 'editor']],
    );
    assert.deepEqual((await get('/v1/document-invitations', { ...cem, tenantId: 'other' }, position)).body.items, []);
    assert.ok(isRight(await platform.store.head()));
  });
});
