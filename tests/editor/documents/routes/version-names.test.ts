import assert from 'node:assert/strict';
import { operationLog } from '../../../../domain/editor/operation-log/events';
import { ada, bob, cem, code, type DocumentsStage, documentWithBob, metadataOf, startDocuments } from './fixture';

describe('the routes of names of versions', () => {
  let stage: DocumentsStage;
  before(async () => {
    stage = await startDocuments();
    for (const one of ['ada', 'bob', 'cem']) await stage.register(one);
  });
  after(() => stage.close());

  it('name existing versions', async () => {
    const documentId = await documentWithBob(stage, 'viewer');
    const name = (version: number | string, identity = ada) =>
      stage.request(`PUT /v1/documents/${documentId}/versions/${version}/name`, identity, { name: 'Reviewed' });
    assert.equal(code(await name(1)), '404 version-unknown');
    const data = { documentId, epoch: 1, fromVersion: 1, toVersion: 3, clientId: 'k3Jx09aPqZ', lastClientSeq: 3 };
    const stream = `editor.log-acme.${documentId}`;
    const committed = operationLog.encode({ type: 'OperationsCommitted', data: { ...data, operations: [] } } as never);
    await stage.append(stream, committed, metadataOf('acme'));
    const taken = { documentId, epoch: 2, ownerProcessId: 'o-2' };
    for (let epoch = 2; epoch < 14; epoch += 1)
      await stage.append(
        stream,
        operationLog.encode({ type: 'OwnershipTaken', data: { ...taken, epoch } } as never),
        metadataOf('acme'),
      );
    assert.equal(code(await name(3)), '200');
    assert.equal(code(await name(4)), '404 version-unknown');
    assert.equal(code(await name('x')), '400 invalid-input');
    assert.equal(code(await name(3, bob)), '403 role-too-low');
    assert.equal(code(await name(3, cem)), '404 document-unknown');
    assert.equal(code(await stage.request(`DELETE /v1/documents/${documentId}/versions/3/name`, ada)), '200');
  });
});
