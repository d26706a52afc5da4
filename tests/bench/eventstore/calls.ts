/** Appends and reads against their floor: the same client calls to a server that answers at once and stores nothing. */
import { END, EventStoreDBClient, START } from '@eventstore/db-client';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { startEventStoreNode, startListening } from '../../support/servers/event-store-node';
import { fromCallers, percentile, rate, report } from '../measure';
import { diskFloor } from './disk-floor';
import { benchEvent } from './events';

const sizes = {
  sequential: 2_000,
  callers: 30_000,
  batches: 500,
  events: 50_000,
  smallStreams: 500,
  smallReads: 6_000,
};

const connect = (url: string): EventStoreDBClient => EventStoreDBClient.connectionString(url);

/** Reads to the end: a read that is left early keeps the client from closing. */
const drain = async (events: AsyncIterable<unknown>, count: number): Promise<void> => {
  let seen = 0;
  for await (const _ of events) seen += 1;
  if (seen !== count) throw new Error(`${seen} events instead of ${count}`);
};

const follow = async (client: EventStoreDBClient, count: number): Promise<void> => {
  const subscription = client.subscribeToAll({ fromPosition: START });
  let left = count;
  for await (const _ of subscription) {
    left -= 1;
    if (left === 0) return subscription.unsubscribe();
  }
};

const append = (client: EventStoreDBClient, stream: string, count: number, first = 0) =>
  client.appendToStream(
    stream,
    Array.from({ length: count }, (_, index) => benchEvent(first + index)),
  );

interface Figure {
  readonly name: string;
  readonly unit: string;
  readonly rateOf: (client: EventStoreDBClient) => Promise<number>;
  /** Of the disk alone. */
  readonly disk?: () => Promise<number>;
}

const { sequential, callers, batches, events, smallStreams, smallReads } = sizes;
/** Events of an aggregate, as commands read it. */
const smallEvents = 5;
const smallStream = (index: number): string => `small-${index % smallStreams}`;

const measurements: readonly Figure[] = [
  {
    name: 'sequential',
    unit: 'appends/s',
    rateOf: (client) =>
      rate(sequential, () => fromCallers(1, sequential, (index) => append(client, `one-${index % 100}`, 1))),
    disk: () => diskFloor(sequential, 1),
  },
  {
    name: 'callers64',
    unit: 'appends/s',
    rateOf: (client) =>
      rate(callers, () => fromCallers(64, callers, (index) => append(client, `many-${index % 64}`, 1))),
  },
  {
    name: 'batches',
    unit: 'events/s',
    rateOf: (client) =>
      rate(batches * 100, () => fromCallers(1, batches, (index) => append(client, 'bench-1', 100, index * 100))),
    disk: () => diskFloor(batches, 100),
  },
  {
    name: 'smallReads16',
    unit: 'reads/s',
    rateOf: async (client) => {
      await fromCallers(16, smallStreams, (index) => append(client, smallStream(index), smallEvents));
      return rate(smallReads, () =>
        fromCallers(16, smallReads, (index) =>
          drain(client.readStream(smallStream(index), { maxCount: smallEvents }), smallEvents),
        ),
      );
    },
  },
  {
    name: 'readStream',
    unit: 'events/s',
    rateOf: (client) => rate(events, () => drain(client.readStream('bench-1', { maxCount: events }), events)),
  },
  {
    name: 'readAll',
    unit: 'events/s',
    rateOf: (client) => rate(events, () => drain(client.readAll({ maxCount: events }), events)),
  },
  { name: 'catchUp', unit: 'events/s', rateOf: (client) => rate(events, () => follow(client, events)) },
];

/** Each beside its floors, so that what else the machine does falls on all of them. */
const compare = async (node: EventStoreDBClient, floor: EventStoreDBClient): Promise<void> => {
  // The first calls compile both sides.
  for (const client of [node, floor]) await fromCallers(16, 2_000, (index) => append(client, `warm-${index % 16}`, 1));
  for (const { name, unit, rateOf, disk } of measurements) {
    const baseline = await rateOf(floor);
    const value = await rateOf(node);
    report({ name: `eventstore.${name}`, value, unit, baseline });
    if (disk !== undefined) report({ name: `eventstore.${name}.disk`, value, unit, baseline: await disk() });
  }
};

/** Milliseconds from the call of append to the event's arrival at a live subscriber. */
const liveDelivery = async (url: string): Promise<readonly number[]> => {
  const writer = connect(url);
  const reader = connect(url);
  const subscription = reader.subscribeToStream('live', { fromRevision: END });
  await new Promise<void>((resolve) => subscription.once('confirmation', resolve));
  const latencies: number[] = [];
  const arrivals = subscription[Symbol.asyncIterator]();
  for (let index = 0; index < 500; index += 1) {
    const started = performance.now();
    const arrival = arrivals.next();
    await Promise.all([writer.appendToStream('live', [benchEvent(index)]), arrival]);
    latencies.push(performance.now() - started);
  }
  await subscription.unsubscribe();
  await Promise.all([writer.dispose(), reader.dispose()]);
  return latencies.slice(100);
};

export const benchCalls = async (): Promise<void> => {
  const data = temporaryDirectory('bench');
  process.env.FLOOR_EVENTS = String(events);
  const floor = await startListening(['tests/bench/eventstore/floor.main.ts']);
  const node = await startEventStoreNode(data.path);
  const clients = [connect(node.url), connect(`esdb://127.0.0.1:${floor.port}?tls=false`)] as const;
  await compare(...clients);
  for (const client of clients) await client.dispose();
  floor.child.kill();
  const latencies = await liveDelivery(node.url);
  report({ name: 'eventstore.live.p50', value: percentile(latencies, 0.5), unit: 'ms' });
  report({ name: 'eventstore.live.p99', value: percentile(latencies, 0.99), unit: 'ms' });
  report({ name: 'eventstore.unsharedMemory', value: node.unsharedMemory() / 1024, unit: 'MiB' });
  await node.stop();
  data.remove();
};
