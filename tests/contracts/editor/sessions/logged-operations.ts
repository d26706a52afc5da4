/** The operations in a document's log. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { operationLog as family, type OperationLogEvent } from '../../../../domain/editor/operation-log/events';
import type { EventStore } from '../../../../infra/ports/event-store';

export const loggedOperations = async (
  store: EventStore,
  documentId: string,
): Promise<readonly OperationLogEvent[]> => {
  const read = await store.read(`editor.log-acme.${documentId}`);
  assert.ok(isRight(read));
  return read.right.map(({ type, data }) => {
    const event = family.decode(type, data);
    assert.ok(!isLeft(event));
    return event.right;
  });
};
