/** What a document's log says. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import { log as family, type LogEvent } from '../../../domain/editor/log/events';
import type { EventStore } from '../../../infra/ports/event-store';

export const logged = async (store: EventStore, documentId: string): Promise<readonly LogEvent[]> => {
  const read = await store.read(`editor.log-acme.${documentId}`);
  assert.ok(isRight(read));
  return read.right.map(({ type, data }) => {
    const event = family.decode(type, data);
    assert.ok(!isLeft(event));
    return event.right;
  });
};
