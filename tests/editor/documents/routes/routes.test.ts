import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { Identity } from '../../../../infra/server/http/routing/route';
import {
  ada,
  bob,
  cem,
  code,
  type DocumentsStage,
  documentWithBob,
  someone,
  startDocuments,
  stranger,
} from './fixture';

describe('the routes of documents', () => {
  let stage: DocumentsStage;
  before(async () => {
    stage = await startDocuments();
    for (const one of ['ada', 'bob', 'cem']) await stage.register(one);
    await stage.register('eve', 'other');
  });
  after(() => stage.close());

  const rename = (documentId: string, identity: Identity, more = {}) =>
    stage.request(`PUT /v1/documents/${documentId}/title`, identity, { title: 'Home page' }, more);
  const withBob = (role: string) => documentWithBob(stage, role);

  it('create one document per idempotency key', async () => {
    const key = randomUUID();
    const [first, second] = [
      await stage.request('POST /v1/documents', ada, { title: 'Once' }, { key }),
      await stage.request('POST /v1/documents', ada, { title: 'Once' }, { key }),
    ];
    assert.equal(first.status, 201);
    assert.deepEqual(second.body, first.body);
    assert.equal(first.headers.get('location'), `/v1/documents/${first.body.documentId}`);
    assert.equal(first.headers.get('etag'), 'W/"0"');
    assert.equal(
      code(await stage.request('POST /v1/documents', ada, { title: 'Twice' }, { key })),
      '422 idempotency-key-reused',
    );
  });

  it('hide documents from principals without a role, and require the current revision', async () => {
    const documentId = await stage.create();
    assert.equal(code(await rename(documentId, bob)), '404 document-unknown');
    assert.equal(code(await rename(documentId, stranger)), '404 document-unknown');
    assert.equal(code(await rename(documentId, someone('ada', 'other'))), '404 document-unknown');
    assert.equal(code(await rename(documentId, ada, { ifMatch: 'W/"4"' })), '412 revision-differs');
    assert.equal(code(await rename(documentId, ada, { ifMatch: 'W/"0"' })), '200');
    assert.equal(code(await rename(documentId, someone('ada', 'acme', ['documents:read']))), '403 forbidden');
  });

  it('invite active principals of the same tenant only', async () => {
    const documentId = await stage.create();
    const invite = (principalId: string) =>
      stage.request(`POST /v1/documents/${documentId}/invitations`, ada, { role: 'editor', principalId });
    assert.equal(code(await invite('eve')), '422 principal-unknown');
    await stage.register('dan');
    await stage.suspend('dan');
    assert.equal(code(await invite('dan')), '409 principal-inactive');
    const invited = await invite('bob');
    assert.equal(invited.status, 201);
    assert.equal(invited.body.secret, undefined);
    const path = `/v1/documents/${documentId}/invitations/${invited.body.invitationId}`;
    assert.equal(code(await stage.request(`POST ${path}/accept`, cem, {})), '404 invitation-unknown');
    assert.equal(code(await stage.request(`DELETE ${path}`, bob)), '404 document-unknown');
    assert.equal(code(await stage.request(`DELETE ${path}`, ada)), '200');
    assert.equal(code(await stage.request(`POST ${path}/accept`, bob, {})), '404 invitation-unknown');
    const again = (await invite('bob')).body.invitationId;
    assert.equal(
      code(await stage.request(`POST /v1/documents/${documentId}/invitations/${again}/decline`, bob)),
      '200',
    );
  });

  it('accept an invitation’s secret once; retries get it again, and the log does not have it', async () => {
    const documentId = await stage.create();
    const key = randomUUID();
    const sendInvitation = () =>
      stage.request(`POST /v1/documents/${documentId}/invitations`, ada, { role: 'viewer' }, { key });
    const [first, second] = [await sendInvitation(), await sendInvitation()];
    assert.deepEqual(second.body, first.body);
    const { secret, invitationId } = first.body;
    for await (const event of stage.store.readAll({ after: null }))
      assert.ok(!JSON.stringify([event.data, event.metadata]).includes(String(secret)));
    const accept = (identity: Identity, body: object) =>
      stage.request(`POST /v1/documents/${documentId}/invitations/${invitationId}/accept`, identity, body);
    assert.equal(code(await accept(bob, { secret: 'x'.repeat(43) })), '404 invitation-unknown');
    assert.equal(code(await accept(stranger, { secret })), '404 invitation-unknown');
    assert.equal(code(await accept(bob, { secret })), '200');
    assert.equal(code(await accept(cem, { secret })), '404 invitation-unknown');
    assert.equal(code(await rename(documentId, bob)), '403 role-too-low');
  });

  it('set and remove roles, and keep an owner', async () => {
    const documentId = await withBob('viewer');
    const members = `/v1/documents/${documentId}/members`;
    assert.equal(code(await stage.request(`PUT ${members}/bob`, ada, { role: 'owner' })), '200');
    const both = await Promise.all([
      stage.request(`PUT ${members}/bob`, ada, { role: 'editor' }),
      stage.request(`PUT ${members}/ada`, bob, { role: 'editor' }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 403]);
    const owner = both[0].status === 200 ? ada : bob;
    assert.equal(code(await stage.request(`DELETE ${members}/${owner.principalId}`, owner)), '409 last-owner');
    const other = owner === ada ? bob : ada;
    assert.equal(code(await stage.request(`DELETE ${members}/${other.principalId}`, other)), '200');
    assert.equal(code(await rename(documentId, other)), '404 document-unknown');
  });

  it('replace the link, which makes the earlier one invalid', async () => {
    const documentId = await stage.create();
    const path = `/v1/documents/${documentId}/link`;
    const share = async () => (await stage.request(`POST ${path}`, ada, { role: 'editor' })).body.secret;
    const open = (identity: Identity, secret: unknown) => stage.request(`POST ${path}/open`, identity, { secret });
    const old = await share();
    assert.equal(code(await open(bob, old)), '200');
    assert.equal(code(await open(stranger, old)), '404 link-unknown');
    assert.equal(code(await rename(documentId, bob)), '200');
    assert.equal(code(await stage.request(`PUT ${path}`, ada, { role: 'viewer' })), '200');
    assert.equal(code(await rename(documentId, bob)), '403 role-too-low');
    const fresh = await share();
    assert.equal(code(await rename(documentId, bob)), '404 document-unknown');
    assert.equal(code(await open(bob, old)), '404 link-unknown');
    assert.equal(code(await open(bob, fresh)), '200');
    assert.equal(code(await stage.request(`DELETE ${path}`, ada)), '200');
    assert.equal(code(await rename(documentId, bob)), '404 document-unknown');
    assert.equal(code(await stage.request(`POST ${path}`, ada, { role: 'owner' })), '400 invalid-input');
  });

  it('trash, restore and delete permanently', async () => {
    const documentId = await withBob('editor');
    const path = `/v1/documents/${documentId}`;
    assert.equal(code(await stage.request(`DELETE ${path}`, ada)), '409 document-not-trashed');
    assert.equal(code(await stage.request(`POST ${path}/trash`, bob)), '403 role-too-low');
    assert.equal(code(await stage.request(`POST ${path}/trash`, ada)), '200');
    assert.equal(code(await rename(documentId, bob)), '410 document-trashed');
    assert.equal(code(await stage.request(`POST ${path}/restore`, ada)), '200');
    assert.equal(code(await rename(documentId, bob)), '200');
    assert.equal(code(await stage.request(`POST ${path}/trash`, ada)), '200');
    assert.equal(code(await stage.request(`DELETE ${path}`, ada)), '200');
    assert.equal(code(await rename(documentId, bob)), '410 document-deleted');
    assert.equal(code(await rename(documentId, cem)), '404 document-unknown');
  });
});
