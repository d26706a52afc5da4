import assert from 'node:assert/strict';
import { document } from '../../../../domain/editor/document/decider';
import type { PrincipalId } from '../../../../domain/kernel/ids';
import type { Identity } from '../../../../infra/server/http/routing/route';
import { given } from '../../../kernel/domain/given-when-then';
import * as example from '../examples';
import { ada, bob, cem, type DocumentsStage, someone, startDocuments } from './fixture';

const { commandOf, created, memberAdded, recorded } = example;
const appoint = (principalId: PrincipalId, ...inactive: readonly PrincipalId[]) =>
  commandOf(example.dee, 'AppointOwner', { principalId, inactive });
const appointed = (principalId: PrincipalId) => recorded('OwnerAppointed', { principalId, appointedBy: example.dee });

describe('an owner appointed by an administrator of the tenant', () => {
  it('is accepted when all owners are inactive, for members and others', () => {
    const gone = appoint(example.cem, example.ada);
    given(document, created).when(gone).then(appointed(example.cem));
    given(document, created, memberAdded(example.cem, 'viewer')).when(gone).then(appointed(example.cem));
    given(document, created, recorded('DocumentTrashed', {})).when(gone).then(appointed(example.cem));
    given(document, created, memberAdded(example.bob, 'owner'))
      .when(appoint(example.cem, example.ada, example.bob))
      .then(appointed(example.cem));
  });

  it('is idempotent', () =>
    given(document, created, appointed(example.cem)).when(appoint(example.cem, example.ada)).thenNothing());

  it('is refused while another owner is active, or without a document', () => {
    given(document, created).when(appoint(example.cem)).rejects('document-has-owner');
    given(document, created, memberAdded(example.bob, 'owner'))
      .when(appoint(example.cem, example.ada))
      .rejects('document-has-owner');
    given(document).when(appoint(example.cem)).rejects('document-unknown');
    const deleted = recorded('DocumentDeleted', { members: [example.ada], invitations: [] });
    given(document, created, recorded('DocumentTrashed', {}), deleted)
      .when(appoint(example.cem, example.ada))
      .rejects('document-deleted');
  });

  it('respects the maximum of members', () => {
    const many = Array.from({ length: 999 }, (_, index) => memberAdded(`p-${index}` as PrincipalId, 'viewer'));
    given(document, created, ...many)
      .when(appoint(example.cem, example.ada))
      .rejects('too-many-members');
    given(document, created, ...many)
      .when(appoint('p-1' as PrincipalId, example.ada))
      .then(appointed('p-1' as PrincipalId));
  });
});

describe('POST /v1/documents/:documentId/owners', () => {
  const dee = someone('dee', 'acme', ['documents:admin']);
  let stage: DocumentsStage;
  let documentId: string;
  beforeEach(async () => {
    stage = await startDocuments();
    for (const one of ['ada', 'bob', 'cem']) await stage.register(one);
    documentId = await stage.create(ada);
  });
  afterEach(() => stage.close());

  const appointing = (principalId: string, by: Identity = dee, id = documentId) =>
    stage.request(`POST /v1/documents/${id}/owners`, by, { principalId });
  const codeOf = async (answer: ReturnType<typeof appointing>) => {
    const { status, body } = await answer;
    return [status, body.code];
  };

  it('hands a suspended owner’s document to an active principal', async () => {
    assert.deepEqual(await codeOf(appointing('bob')), [409, 'document-has-owner']);
    await stage.suspend('ada');
    await stage.suspend('cem');
    assert.deepEqual(await codeOf(appointing('cem')), [409, 'principal-inactive']);
    assert.deepEqual(await codeOf(appointing('nobody')), [422, 'principal-unknown']);
    const title = `PUT /v1/documents/${documentId}/title`;
    assert.equal((await stage.request(title, bob, { title: 'Mine' })).status, 404);
    assert.equal((await appointing('bob')).status, 200);
    assert.equal((await stage.request(title, bob, { title: 'Mine' })).status, 200);
    assert.equal((await appointing('bob')).status, 200);
  });

  it('requires an administrator of the same tenant', async () => {
    await stage.suspend('ada');
    assert.deepEqual(await codeOf(appointing('bob', bob)), [403, 'forbidden']);
    const others = someone('zoe', 'other', ['documents:admin']);
    await stage.register('yan', 'other');
    assert.deepEqual(await codeOf(appointing('yan', others)), [404, 'document-unknown']);
    assert.deepEqual(await codeOf(appointing('bob', dee, 'none')), [404, 'document-unknown']);
    assert.deepEqual(await codeOf(appointing('bob', cem)), [403, 'forbidden']);
  });
});
