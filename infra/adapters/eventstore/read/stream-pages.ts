/** Reads one stream in pages, over the official client and over the in-memory twin. */
import { BACKWARDS, END, type EventStoreDBClient, FORWARDS, START } from '@eventstore/db-client';
import { isLeft, left, right } from 'fp-ts/Either';
import { connect, disconnect } from '../../../../packages/eventstore-node/src/client';
import type { EventStore, StoredEvent } from '../../../ports/event-store';
import type { ReadPage, StreamPage, StreamReader } from '../../../ports/stream-pages';
import { isStreamMissing, unavailable } from '../faults';
import { toStoredEvent } from '../stored-event';

const bytesOf = ({ data, metadata }: StoredEvent): number =>
  data instanceof Uint8Array ? data.length * 2 : JSON.stringify([data, metadata]).length;

/** Takes events until there are enough. */
const filling = ({ limit, mostBytes }: StreamPage) => {
  const events: StoredEvent[] = [];
  let bytes = 0;
  return {
    /** False once nothing more is taken. */
    add: (event: StoredEvent): boolean => {
      events.push(event);
      bytes += bytesOf(event);
      return events.length < limit && bytes < mostBytes;
    },
    page: (): ReadPage => ({ events, cut: events.length < limit && bytes >= mostBytes }),
  };
};

const read = async (client: EventStoreDBClient, page: StreamPage): Promise<ReadPage> => {
  const { stream, from, direction, limit } = page;
  const backwards = direction === 'backwards';
  const start = backwards ? END : START;
  const events = client.readStream(stream, {
    fromRevision: from === undefined ? start : BigInt(from),
    direction: backwards ? BACKWARDS : FORWARDS,
    maxCount: limit,
  });
  const filled = filling(page);
  try {
    for await (const { event } of events) if (event !== undefined && !filled.add(toStoredEvent(event))) break;
    return filled.page();
  } finally {
    // A read that is left early goes on at the server until it is cancelled.
    await events.cancel();
  }
};

/** After the signal, calls that still look for a node fail. */
export const openStreamPages = ({ url, signal }: { readonly url: string; readonly signal?: AbortSignal }) => {
  const client = connect(url, signal);
  const stream: StreamReader = async (page) => {
    try {
      return right(await read(client, page));
    } catch (error) {
      return isStreamMissing(error) ? right({ events: [], cut: false }) : left(unavailable());
    }
  };
  return { stream, close: () => disconnect(client) };
};

/** For in-memory stores, which have the whole stream. */
export const streamPagesOf =
  (store: Pick<EventStore, 'read'>): StreamReader =>
  async (page) => {
    const all = await store.read(page.stream);
    if (isLeft(all)) return all;
    const { from, direction } = page;
    const ordered = direction === 'backwards' ? all.right.toReversed() : all.right;
    const isWithin = ({ revision }: StoredEvent): boolean =>
      from === undefined || (direction === 'backwards' ? revision <= from : revision >= from);
    const filled = filling(page);
    for (const event of ordered.filter(isWithin)) if (!filled.add(event)) break;
    return right(filled.page());
  };
