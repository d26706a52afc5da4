/** Edits that are sent until they are in the log. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import type { Operation } from '../../../../domain/editor/operation';
import { operationLog } from '../../../../domain/editor/operation-log/events';
import type { EventStore } from '../../../../infra/ports/event-store';
import type { writer } from '../../../editor/document-owner/fixture';
import type { Person } from '../../../editor/sessions/fixture';

/** Those of a document that are in the log, in their order. */
export const idsIn = async (store: EventStore, documentId: string): Promise<readonly string[]> => {
  const read = await store.read(`editor.log-acme.${documentId}`);
  assert.ok(isRight(read));
  return read.right.flatMap(({ type, data }) => {
    const event = operationLog.decode(type, data);
    if (isLeft(event) || event.right.type !== 'OperationsCommitted') return [];
    return event.right.data.operations.map(({ opId }) => opId);
  });
};

/** Four of them are enough for a snapshot to be due; the little that compresses well is kept beside the index. */
export const largeOperations = ({ create }: ReturnType<typeof writer>, from: number): readonly Operation[] =>
  Array.from({ length: 6 }, (_, index) => {
    const operation = create(from + index);
    const [made] = (operation.payload as { readonly nodes: readonly object[] }).nodes;
    return {
      ...operation,
      payload: { nodes: [{ ...made, properties: { name: randomBytes(45_000).toString('base64') } }] },
    };
  });

/** Until everything up to there is; what could not be taken is sent again. */
export const submitUntilCommitted = async (person: Person, operations: readonly Operation[]): Promise<void> => {
  const last = operations.at(-1)?.clientSeq;
  for (;;) {
    const message = await person.next();
    if (message.type === 'ack' && message.clientSeq === last) return;
    if (message.type === 'error') person.send(...operations);
  }
};
