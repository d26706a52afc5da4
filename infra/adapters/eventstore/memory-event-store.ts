/** In-memory twin of the log, for tests and for runs without a server. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type {
  Appended,
  EventStore,
  EventStoreFault,
  Expected,
  NewEvent,
  ReadAll,
  StoredEvent,
  SubscribeAll,
  SubscriptionSignal,
  WrongRevision,
} from '../../ports/event-store';
import { encodeProposedEvents } from './append/proposed-events';
import { matchesFilter } from './event-filter';

interface Memory {
  readonly log: StoredEvent[];
  readonly streams: Map<string, StoredEvent[]>;
  readonly wake: Set<() => void>;
}

type AppendResult = Either<EventStoreFault | WrongRevision, Appended>;

/** Positions grow by more than one, as byte offsets do. */
const positionAt = (index: number): bigint => BigInt(index + 1) * 128n;

const appendedAs = ({ revision, position }: StoredEvent): AppendResult => right({ revision, position });

const write = ({ log, streams, wake }: Memory, stream: string, events: readonly NewEvent[]): AppendResult => {
  const recorded = streams.get(stream) ?? [];
  streams.set(stream, recorded);
  for (const event of events) {
    const { data, metadata } = JSON.parse(JSON.stringify(event)) as NewEvent;
    const { id, type } = event;
    const stored = { id, type, data, metadata, stream, revision: recorded.length, position: positionAt(log.length) };
    log.push(stored);
    recorded.push(stored);
  }
  for (const waking of wake) waking();
  return appendedAs(recorded.at(-1) as StoredEvent);
};

/** Index at which the events would be appended; with `any`, the index of a first append of the same events. */
const startOf = (recorded: readonly StoredEvent[], expected: Expected, events: readonly NewEvent[]): number => {
  if (expected === 'no-stream') return 0;
  if (expected !== 'any') return expected + 1;
  const found = recorded.findIndex(({ id }) => id === events[0]?.id);
  return found < 0 ? recorded.length : found;
};

/** A repeated append of the same events gets the first one's answer. */
const append = (
  memory: Memory,
  stream: string,
  { expected, events }: { readonly expected: Expected; readonly events: readonly NewEvent[] },
): AppendResult => {
  const proposed = encodeProposedEvents(events);
  if (isLeft(proposed)) return proposed;
  const recorded = memory.streams.get(stream) ?? [];
  const start = startOf(recorded, expected, events);
  if (start === recorded.length) return write(memory, stream, events);
  const there = recorded.slice(start, start + events.length);
  const last = there.at(-1);
  const repeated = there.length === events.length && there.every(({ id }, index) => id === events[index]?.id);
  return repeated && last !== undefined
    ? appendedAs(last)
    : left({ kind: 'wrong-revision', revision: recorded.at(-1)?.revision ?? null });
};

/** Binary search: the log is ordered by position. */
const indexAfter = (log: readonly StoredEvent[], after: bigint | null): number => {
  if (after === null) return 0;
  let [low, high] = [0, log.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((log[middle] as StoredEvent).position <= after) low = middle + 1;
    else high = middle;
  }
  return low;
};

async function* readAll({ log }: Memory, { after, filter, limit, direction }: ReadAll): AsyncGenerator<StoredEvent> {
  const backwards = direction === 'backwards';
  const before = log.findIndex(({ position }) => after !== null && position >= after);
  const seen = backwards ? log.slice(0, before < 0 ? log.length : before).reverse() : log.slice(indexAfter(log, after));
  yield* seen.filter((event) => matchesFilter(event, filter)).slice(0, limit ?? seen.length);
}

/** A function, because the value changes across awaits. */
const isAborted = (signal: AbortSignal): boolean => signal.aborted;

const nextAppend = ({ wake }: Memory, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const waking = (): void => {
      wake.delete(waking);
      signal.removeEventListener('abort', waking);
      resolve();
    };
    wake.add(waking);
    signal.addEventListener('abort', waking);
    if (signal.aborted) waking();
  });

async function* subscribeAll(memory: Memory, request: SubscribeAll): AsyncGenerator<SubscriptionSignal> {
  const { filter, signal } = request;
  let next = indexAfter(memory.log, request.after);
  let caughtUp = false;
  while (!isAborted(signal)) {
    const batch = memory.log.slice(next, next + 500);
    for (const event of batch) {
      if (isAborted(signal)) return;
      if (matchesFilter(event, filter)) yield { kind: 'event', event };
    }
    next += batch.length;
    const last = batch.at(-1);
    if (last !== undefined) yield { kind: 'checkpoint', position: last.position };
    if (next < memory.log.length) continue;
    if (!caughtUp) yield { kind: 'caught-up' };
    caughtUp = true;
    if (next === memory.log.length) await nextAppend(memory, signal);
  }
}

export const openMemoryEventStore = (): EventStore => {
  const memory: Memory = { log: [], streams: new Map(), wake: new Set() };
  return {
    append: async (stream, expected, events) => append(memory, stream, { expected, events }),
    read: async (stream, from = 0) => right((memory.streams.get(stream) ?? []).slice(from)),
    head: async () => right(memory.log.findLast((event) => matchesFilter(event, undefined))?.position ?? null),
    readAll: (request) => readAll(memory, request),
    subscribeAll: (request) => subscribeAll(memory, request),
    close: async () => undefined,
  };
};
