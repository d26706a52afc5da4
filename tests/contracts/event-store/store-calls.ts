/** How the event store contract calls a store. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { isLeft, isRight } from 'fp-ts/Either';
import type {
  Appended,
  EventStore,
  Expected,
  NewEvent,
  StoredEvent,
  SubscriptionSignal,
} from '../../../infra/ports/event-store';

export const newEvent = (index = 0, type = 'contract.Happened.v1'): NewEvent => ({
  id: randomUUID(),
  type,
  data: { index },
  metadata: { commandId: `command-${index}` },
});

export const newEvents = (count: number): readonly NewEvent[] =>
  Array.from({ length: count }, (_, index) => newEvent(index));

export const aStream = (): string => `contract.thing-acme.${randomUUID()}`;

export const appended = async (
  store: EventStore,
  stream: string,
  expected: Expected,
  events: readonly NewEvent[],
): Promise<Appended> => {
  const answer = await store.append(stream, expected, events);
  assert.ok(isRight(answer), isLeft(answer) ? answer.left.kind : '');
  return answer.right;
};

export const refusal = async (store: EventStore, stream: string, expected: Expected, events: readonly NewEvent[]) => {
  const answer = await store.append(stream, expected, events);
  assert.ok(isLeft(answer), 'the append is refused');
  return answer.left;
};

export const read = async (store: EventStore, stream: string, from?: number): Promise<readonly StoredEvent[]> => {
  const events = await store.read(stream, from);
  assert.ok(isRight(events));
  return events.right;
};

export const collect = async <Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> => {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
};

/** Takes signals until the predicate holds, then leaves. */
export const follow = async (
  store: EventStore,
  after: bigint | null,
  streams: readonly string[],
  enough: (signals: readonly SubscriptionSignal[]) => boolean,
): Promise<readonly SubscriptionSignal[]> => {
  const leaving = new AbortController();
  const signals: SubscriptionSignal[] = [];
  for await (const signal of store.subscribeAll({ after, filter: { streams }, signal: leaving.signal })) {
    signals.push(signal);
    if (enough(signals)) break;
  }
  leaving.abort();
  return signals;
};

export const idsIn = (signals: readonly SubscriptionSignal[]): readonly string[] =>
  signals.flatMap((signal) => (signal.kind === 'event' ? [signal.event.id] : []));
