/** Much at once: a paste of two megabytes, and as much as one principal may send. */
import assert from 'node:assert/strict';
import type { ClientId, NodeId } from '../../../../domain/editor/ids';
import type { Operation } from '../../../../domain/editor/operation';
import { writer } from '../../../editor/document-owner/fixture';
import type { EditorProcess } from './fixture';

/** 1.99 MB. */
export const largePaste = (clientId: ClientId): readonly Operation[] => {
  const write = writer(clientId);
  const node = (count: number) => ({
    id: write.idOf(count),
    type: 'rect',
    parentId: null,
    orderKey: `a${count}`,
    properties: { note: 'x'.repeat(5_000) },
  });
  return Array.from({ length: 380 }, (_, count) => write.operation('createNode', { nodes: [node(count + 1)] }));
};

export const inFiveBatches = (operations: readonly Operation[]): readonly (readonly Operation[])[] =>
  [0, 1, 2, 3, 4].map((part) => operations.slice(part * 76, part * 76 + 76));

export interface BatchSender {
  readonly editor: EditorProcess;
  readonly documentId: string;
  readonly principalId: string;
}

export const postBatch = async ({ editor, documentId, principalId }: BatchSender, operations: readonly Operation[]) => {
  const clientId = operations[0]?.opId.slice(0, 10);
  const body = { clientId, operations: operations.map((operation) => ({ ...operation, documentId })) };
  const answer = await editor.request(`/v1/documents/${documentId}/operations:batch`, principalId, body);
  return { status: answer.status, body: (await answer.json()) as { readonly [field: string]: unknown } };
};

const batches = 7;
const batch = 8;

/** 3.4 MB of each of so many clients, always into the same nodes: four are as much as one may send. Answers the version after it. */
export const sendFlood = async (posting: BatchSender, clients = 4): Promise<number> => {
  let version = 0;
  for (let number = 0; number < clients; number += 1) {
    const write = writer(await posting.editor.issuesClientId(posting.documentId, posting.principalId));
    assert.equal((await postBatch(posting, [write.create(1)])).status, 200);
    for (let count = 0; count < batches; count += 1) {
      const values = Array.from({ length: batch }, (_, index) => `${count}.${index} ${'x'.repeat(60_000)}`);
      const sets = values.map((value) => write.set(`${write.clientId}:1` as NodeId, 'note', value));
      const done = await postBatch(posting, sets);
      assert.equal(done.status, 200, JSON.stringify(done.body));
      version = Number(done.body.committedVersion);
    }
  }
  return version;
};
