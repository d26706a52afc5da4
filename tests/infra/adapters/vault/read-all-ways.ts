/** Every way to read a log, to its end. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import type { EventStore, StoredEvent } from '../../../../infra/ports/event-store';

export const readAllEvents = async (store: EventStore): Promise<readonly StoredEvent[]> => {
  const found: StoredEvent[] = [];
  for await (const event of store.readAll({ after: null })) found.push(event);
  return found;
};

export const readByFollowing = async (store: EventStore, count: number): Promise<readonly StoredEvent[]> => {
  const found: StoredEvent[] = [];
  const { signal } = new AbortController();
  for await (const message of store.subscribeAll({ after: null, signal })) {
    if (message.kind === 'event') found.push(message.event);
    if (found.length === count) break;
  }
  return found;
};

export const readStreamEvents = async (store: EventStore, stream: string): Promise<readonly StoredEvent[]> => {
  const found = await store.read(stream);
  assert.ok(isRight(found));
  return found.right;
};

export const dataOf = (event: StoredEvent | undefined): Record<string, unknown> =>
  (event?.data ?? {}) as Record<string, unknown>;
