/** A document and one edit in it, as a program makes them. */
import assert from 'node:assert/strict';
import type { Session } from '../system/harness/admin-session';

export const editDocument = async (session: Session): Promise<void> => {
  const created = await session.send('POST', '/v1/documents', { body: { title: 'Traced' } });
  assert.equal(created?.status, 201, JSON.stringify(created));
  const { documentId } = created.body as { readonly documentId: string };
  const issued = await session.send('POST', `/v1/documents/${documentId}/clients`, { body: {} });
  assert.equal(issued?.status, 200, JSON.stringify(issued));
  const { clientId } = issued.body as { readonly clientId: string };
  const node = { id: `${clientId}:1`, type: 'rect', parentId: null, orderKey: 'a0', properties: {} };
  const operation = {
    opId: `${clientId}-1`,
    documentId,
    actorId: 'me',
    clientSeq: 1,
    baseVersion: 0,
    type: 'createNode',
    targetIds: [node.id],
    payload: { nodes: [node] },
    createdAt: new Date().toISOString(),
  };
  const path = `/v1/documents/${documentId}/operations:batch`;
  const committed = await session.send('POST', path, { body: { clientId, operations: [operation] } });
  assert.equal(committed?.status, 200, JSON.stringify(committed));
};
