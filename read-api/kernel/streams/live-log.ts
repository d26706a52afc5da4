/** One log subscription for all subscribers: the newest events stay in memory, encoded once; older ones are read in pages. */
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import { fault } from '../../../domain/kernel/rejection';
import type { EventStore, EventStoreFault, StoredEvent } from '../../../infra/ports/event-store';
import type { Log } from '../../../infra/ports/runtime/log';
import type { Tracer } from '../../../infra/ports/runtime/trace';
import { resumeUntilAborted } from '../../../infra/server/runtime/backoff';
import { logOutage } from '../../../infra/server/runtime/outage';
import type { StreamIds } from './event-ids';
import { createKeyedWakeSignal, type KeyedWakeSignal } from './keyed-wake-signal';
import { createRingBuffer, type RingBuffer } from './ring-buffer';
import { createEventEncoder, type EncodeEvent, type StreamEvent, type StreamSource } from './stream-event';
import type { StreamMetrics } from './stream-metrics';

export interface LiveLog
  extends Pick<RingBuffer<StreamEvent>, 'next' | 'floor' | 'last'>,
    Pick<KeyedWakeSignal, 'waitFor'> {
  /** Events of a tenant that may have left the ring already; with an aggregate's id, only events of this aggregate. */
  readonly older: (tenantId: string, after: bigint, key?: string) => Promise<Either<EventStoreFault, OlderPage>>;
  readonly idOf: StreamIds['write'];
  readonly streamMetrics: Pick<StreamMetrics, 'fellBack' | 'delivered'>;
  readonly name: string;
  /** Number of events received, of all tenants. */
  readonly seen: () => number;
}

/** After this many events the hub also wakes subscribers without matching events, so that they can send a checkpoint. */
const notifyAllEvery = 100;

/** Marks in the event's trace when the event became available to subscribers. */
const tracePublication = ({ trace, name }: HubOptions, { metadata }: StoredEvent): void => {
  const parent = trace?.traceparentOf(metadata);
  if (parent !== undefined) trace?.begin({ name: `publish ${name}`, kind: 'consumer', under: { parent } }).end();
};

const openLive = (options: HubOptions, followed: StreamSource, head: bigint): LiveLog => {
  const ring = createRingBuffer<StreamEvent>(options.capacity ?? 1024, head);
  const wakeSignal = createKeyedWakeSignal();
  const encode = createEventEncoder(followed, options);
  const older = readOlderPages(options, followed, encode);
  let seen = 0;
  const event = (stored: StoredEvent): void => {
    const encoded = encode(stored);
    if (encoded !== undefined) tracePublication(options, stored);
    seen += 1;
    if (encoded === undefined) ring.skipTo(stored.position);
    else ring.push(encoded);
    if (encoded !== undefined) wakeSignal.notify(encoded.tenantId);
    if (seen % notifyAllEvery === 0) wakeSignal.notifyAll();
  };
  void fillRingBuffer(options, followed, { from: ring.last, event });
  const { next, floor, last } = ring;
  const { waitFor } = wakeSignal;
  const { ids, streamMetrics, name } = options;
  return {
    next,
    floor,
    last,
    waitFor,
    idOf: ids.write,
    streamMetrics,
    name,
    seen: () => seen,
    // A read finds every event that the ring had received when the read began.
    older: (tenantId, after, key) => older({ tenantId, after, key }, ring.last()),
  };
};

export interface StreamHub {
  /** Opened for the first subscriber. */
  readonly live: () => Promise<Either<EventStoreFault, LiveLog>>;
  readonly ids: StreamIds;
  readonly head: EventStore['head'];
}

export const openHub = (options: HubOptions, followed: StreamSource): StreamHub => {
  let live: LiveLog | undefined;
  const open = async (): Promise<Either<EventStoreFault, LiveLog>> => {
    const head = await options.store.head();
    if (isLeft(head)) return head;
    // It stays open after the first subscriber leaves.
    const begin = () => openLive(options, followed, head.right ?? logStart);
    live ??= options.trace === undefined ? begin() : options.trace.runDetached(begin);
    return right(live);
  };
  const { ids, store } = options;
  return { live: async () => (live === undefined ? open() : right(live)), ids, head: store.head };
};

export interface OlderPage {
  readonly events: readonly StreamEvent[];
  /** Everything of the tenant up to here is in this page or before it. */
  readonly through: bigint;
}

export interface HubOptions {
  readonly store: Pick<EventStore, 'head' | 'readAll' | 'subscribeAll'>;
  readonly log: Log;
  readonly trace?: Tracer | undefined;
  readonly ids: StreamIds;
  readonly streamMetrics: Pick<StreamMetrics, 'fellBack' | 'delivered'>;
  /** The stream's name, for metrics. */
  readonly name: string;
  /** Ends the subscription. */
  readonly signal: AbortSignal;
  readonly capacity?: number;
  readonly pageSize?: number;
}

/** Before the first event of the log. */
const logStart = -1n;
const afterOrStart = (position: bigint): bigint | null => (position < 0n ? null : position);

/** Limits concurrent reads, because all clients may reconnect at once. */
const maxConcurrentReads = 4;

interface RingInput {
  readonly from: () => bigint;
  readonly event: (event: StoredEvent) => void;
}

/** Follows until the signal aborts; a subscription that ends or breaks is resumed at the ring's last position. */
const fillRingBuffer = async (
  { store, log, signal }: HubOptions,
  followed: StreamSource,
  take: RingInput,
): Promise<void> => {
  const { streams } = followed;
  const follow = async (progress: () => void): Promise<void> => {
    for await (const received of store.subscribeAll({
      after: afterOrStart(take.from()),
      ...(streams === undefined ? {} : { filter: { streams } }),
      signal,
    })) {
      progress();
      if (received.kind === 'event') take.event(received.event);
    }
  };
  await resumeUntilAborted(follow, {
    signal,
    ...logOutage(log, {
      failing: 'the subscription of a live stream broke; it is resumed',
      recovered: 'the subscriptions of live streams are back',
    }),
  });
};

interface OlderPageRequest {
  readonly tenantId: string;
  readonly after: bigint;
  readonly key: string | undefined;
}

const readOlderPages = (options: HubOptions, { streams }: StreamSource, encode: EncodeEvent) => {
  const { store, pageSize = 64 } = options;
  const inTurn = createConcurrencyLimit(maxConcurrentReads);
  return ({ tenantId, after, key = '' }: OlderPageRequest, last: bigint): Promise<Either<EventStoreFault, OlderPage>> =>
    inTurn(async () => {
      const prefixes = streams?.map((prefix) => `${prefix}${tenantId}.${key}`);
      const filter = prefixes === undefined ? {} : { filter: { streams: prefixes } };
      const read: StoredEvent[] = [];
      try {
        for await (const event of store.readAll({ after: afterOrStart(after), ...filter, limit: pageSize }))
          read.push(event);
      } catch {
        return left(fault('event-store-unavailable', 'The log does not answer, or does not have this position.'));
      }
      const events = read.map(encode).filter((event) => event?.tenantId === tenantId) as StreamEvent[];
      const end = read.at(-1)?.position ?? after;
      return right({ events, through: read.length < pageSize && last > end ? last : end });
    });
};

/** Runs a bounded number of tasks at a time; the others wait in order. */
export type ConcurrencyLimit = <A>(work: () => Promise<A>) => Promise<A>;

const createConcurrencyLimit = (most: number): ConcurrencyLimit => {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  const enter = (): Promise<void> => {
    if (underWay < most) {
      underWay += 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    // The slot passes to the next waiter, so that newcomers do not overtake.
    if (next === undefined) underWay -= 1;
    else next();
  };
  return async (work) => {
    await enter();
    try {
      return await work();
    } finally {
      leave();
    }
  };
};
