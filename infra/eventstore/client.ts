/** The event store port over the official client: EventStoreDB, a cluster of it, or the embedded node. */
import { BACKWARDS, END, type EventStoreDBClient, FORWARDS, NO_STREAM, START } from '@eventstore/db-client';
import { left, right } from 'fp-ts/Either';
import type { EventStore, Expected, NewEvent, ReadAll, StoredEvent } from '../ports/event-store';
import type { Log } from '../ports/log';
import { connect, disconnect } from './connection';
import { ambiguous, appendFault, isNothing, unavailable } from './faults';
import { passes } from './filter';
import { toEventData, toStoredEvent } from './stored-event';
import { subscribeAll } from './subscribe';

export interface EventStoreOptions {
  /** `esdb://…`, the client's own connection string. */
  readonly url: string;
  readonly log?: Log;
}

const quiet: Log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const answerMilliseconds = 10_000;
const everything = Number.MAX_SAFE_INTEGER;

const expectedRevision = (expected: Expected) => {
  if (typeof expected === 'number') return BigInt(expected);
  return expected === 'no-stream' ? NO_STREAM : 'any';
};

/** The client waits for ever when a server stops answering in the middle of an append. */
const answered = async <Result>(work: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), answerMilliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

const append =
  (client: EventStoreDBClient): EventStore['append'] =>
  async (stream, expected, events) => {
    try {
      const options = { expectedRevision: expectedRevision(expected) } as const;
      const appended = await answered(
        client.appendToStream(
          stream,
          events.map((event: NewEvent) => toEventData(event)),
          options,
        ),
      );
      if (appended.position === undefined) return left(ambiguous());
      return right({ revision: Number(appended.nextExpectedRevision), position: appended.position.commit });
    } catch (error) {
      return left(appendFault(error));
    }
  };

const read =
  (client: EventStoreDBClient): EventStore['read'] =>
  async (stream, from = 0) => {
    try {
      const events: StoredEvent[] = [];
      for await (const { event } of client.readStream(stream, { fromRevision: BigInt(from), maxCount: everything }))
        if (event !== undefined) events.push(toStoredEvent(event));
      return right(events);
    } catch (error) {
      return isNothing(error) ? right([]) : left(unavailable());
    }
  };

/** The client cannot ask for a filtered read, only for a filtered subscription: it is filtered here. */
async function* readAll(client: EventStoreDBClient, request: ReadAll): AsyncGenerator<StoredEvent, void> {
  const { after, filter, limit = everything, direction = 'forwards' } = request;
  const start = direction === 'forwards' ? START : END;
  const fromPosition = after === null ? start : { commit: after, prepare: after };
  const options = { fromPosition, direction: direction === 'forwards' ? FORWARDS : BACKWARDS } as const;
  let left = limit;
  if (left <= 0) return;
  const events = client.readAll({ ...options, maxCount: everything });
  try {
    for await (const { event } of events) {
      // Forwards, the event at the position itself comes again.
      if (event === undefined || event.position.commit === after) continue;
      const stored = toStoredEvent(event);
      if (!passes(stored, filter)) continue;
      yield stored;
      left -= 1;
      if (left === 0) return;
    }
  } finally {
    // A read that is left early goes on at the server until it is cancelled.
    await events.cancel();
  }
}

export const openEventStore = ({ url, log = quiet }: EventStoreOptions): EventStore => {
  const client = connect(url);
  return {
    append: append(client),
    read: read(client),
    head: async () => {
      try {
        let newest: bigint | null = null;
        for await (const { event } of client.readAll({ direction: BACKWARDS, fromPosition: END, maxCount: 1 }))
          newest = event?.position.commit ?? null;
        return right(newest);
      } catch {
        return left(unavailable());
      }
    },
    readAll: (request) => readAll(client, request),
    subscribeAll: (request) => subscribeAll({ url, log }, request),
    close: () => disconnect(client),
  };
};
