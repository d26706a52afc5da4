/** Appends and reads against their floor: the same client calls to a server that answers at once and stores nothing. */
import { END, EventStoreDBClient, START } from '@eventstore/db-client';
import { startEventStoreNode, startListening, temporaryDirectory } from '../../support/event-store-node';
import { fromCallers, percentile, rate, report } from '../measure';
import { diskFloor } from './disk-floor';
import { benchEvent } from './events';

const sizes = { sequential: 2_000, callers: 30_000, batches: 500, events: 50_000 };

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

/** Rates of one server, by figure. */
const measure = async (url: string): Promise<Record<string, number>> => {
  const client = connect(url);
  const append = (stream: string, count: number, first = 0) =>
    client.appendToStream(
      stream,
      Array.from({ length: count }, (_, index) => benchEvent(first + index)),
    );
  // The first calls compile both sides.
  await fromCallers(16, 2_000, (index) => append(`warm-${index % 16}`, 1));
  const rates = {
    sequential: await rate(sizes.sequential, () =>
      fromCallers(1, sizes.sequential, (index) => append(`one-${index % 100}`, 1)),
    ),
    callers64: await rate(sizes.callers, () =>
      fromCallers(64, sizes.callers, (index) => append(`many-${index % 64}`, 1)),
    ),
    batches: await rate(sizes.batches * 100, () =>
      fromCallers(1, sizes.batches, (index) => append('bench-1', 100, index * 100)),
    ),
    readStream: await rate(sizes.events, () =>
      drain(client.readStream('bench-1', { maxCount: sizes.events }), sizes.events),
    ),
    readAll: await rate(sizes.events, () => drain(client.readAll({ maxCount: sizes.events }), sizes.events)),
    catchUp: await rate(sizes.events, () => follow(client, sizes.events)),
  };
  await client.dispose();
  return rates;
};

const units: Record<string, string> = { sequential: 'appends/s', callers64: 'appends/s' };

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

const floorOf = async (): Promise<Record<string, number>> => {
  process.env.FLOOR_EVENTS = String(sizes.events);
  const floor = await startListening(['tests/bench/eventstore/floor.main.ts']);
  const rates = await measure(`esdb://127.0.0.1:${floor.port}?tls=false`);
  floor.child.kill();
  return rates;
};

/** Against what the disk alone would take. */
const reportDisk = async ({ sequential, batches }: Record<string, number>): Promise<void> => {
  const floors = { sequential: await diskFloor(sizes.sequential, 1), batches: await diskFloor(sizes.batches, 100) };
  const value = { sequential: sequential ?? 0, batches: batches ?? 0 };
  report({
    name: 'eventstore.sequential.disk',
    value: value.sequential,
    unit: 'appends/s',
    baseline: floors.sequential,
  });
  report({ name: 'eventstore.batches.disk', value: value.batches, unit: 'events/s', baseline: floors.batches });
};

export const benchCalls = async (): Promise<void> => {
  const data = temporaryDirectory('bench');
  const baseline = await floorOf();
  const node = await startEventStoreNode(data.path);
  const rates = await measure(node.url);
  for (const [name, value] of Object.entries(rates))
    report({ name: `eventstore.${name}`, value, unit: units[name] ?? 'events/s', baseline: baseline[name] });
  await reportDisk(rates);
  const latencies = await liveDelivery(node.url);
  report({ name: 'eventstore.live.p50', value: percentile(latencies, 0.5), unit: 'ms' });
  report({ name: 'eventstore.live.p99', value: percentile(latencies, 0.99), unit: 'ms' });
  report({ name: 'eventstore.unsharedMemory', value: node.unsharedMemory() / 1024, unit: 'MiB' });
  await node.stop();
  data.remove();
};
