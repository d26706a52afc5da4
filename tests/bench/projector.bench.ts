/** Projecting into Postgres against merely reading the same events, and how soon an appended event can be read. */
import { isLeft } from 'fp-ts/Either';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openPostgresReader } from '../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../infra/adapters/postgres/views/view-writer';
import type { EventStore } from '../../infra/ports/event-store';
import type { NamedView, View, ViewReader, ViewWriter } from '../../infra/ports/views/view-store';
import type { Projection } from '../../projections/kernel/projection';
import { type Projector, runProjector } from '../../projections/kernel/projector/projector';
import {
  type CounterRow,
  counterHistory,
  counterProjection,
  counterStream,
  counterTable,
  newCounterEvent,
  recordTicks,
} from '../support/domain/counter-context';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, stopServers } from '../support/servers/shared-servers';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';
import { percentile, rate, report } from './measure';

const events = 100_000;
const perCounter = 20;
const visible = 400;

const view = counterTable('bench_counters');
const historyProjection = counterHistory('bench_history');

const must = <A>(either: { readonly _tag: 'Right'; readonly right: A } | { readonly _tag: 'Left' }): A => {
  if (either._tag === 'Left') throw new Error(JSON.stringify(either));
  return either.right;
};

const fill = async (store: EventStore): Promise<void> => {
  for (let index = 0; index < events / perCounter; index += 16) {
    const ids = Array.from({ length: Math.min(16, events / perCounter - index) }, (_, caller) => `c${index + caller}`);
    await Promise.all(ids.map((id) => recordTicks(store, id, perCounter - 1)));
  }
};

const readEverything = async (store: EventStore): Promise<void> => {
  let seen = 0;
  for await (const _ of store.readAll({ after: null })) seen += 1;
  if (seen < events) throw new Error(`${seen} events instead of ${events}`);
};

const reaches = async (reader: ViewReader, name: NamedView, position: bigint): Promise<void> => {
  for (;;) {
    const at = must(await reader.checkpoint(name));
    if (at !== null && at !== undefined && at >= position) return;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
};

/** From the call of append until the reader finds the row. */
const untilVisible = async (store: EventStore, reader: ViewReader): Promise<readonly number[]> => {
  const latencies: number[] = [];
  for (let index = 0; index < visible; index += 1) {
    const counterId = `v${index}`;
    const began = performance.now();
    await store.append(counterStream(counterId), 'no-stream', [
      newCounterEvent({ type: 'CounterMade', data: { counterId } }),
    ]);
    for (;;) {
      const found = await reader.find<CounterRow>(view as unknown as View<CounterRow>, 'acme', { counterId });
      if (isLeft(found)) throw new Error(found.left.detail);
      if (found.right !== undefined) break;
      await new Promise((resolve) => setImmediate(resolve));
    }
    latencies.push(performance.now() - began);
  }
  return latencies.slice(visible / 10);
};

interface Place {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly reader: ViewReader;
}

const start = ({ store, writer }: Place, projection: Projection): Projector =>
  runProjector([projection], { store, log: recordingLog(), metrics: noopMetrics, writerOf: () => writer });

/** From an empty table to the end of the log; the projector goes on. */
const projectAll = async (place: Place, projection: Projection): Promise<readonly [number, Projector]> => {
  const { store, writer, reader } = place;
  const head = must(await store.head()) as bigint;
  must(await writer.open(projection.view));
  const began = performance.now();
  const projector = start(place, projection);
  await reaches(reader, projection.view, head);
  return [(events * 1000) / (performance.now() - began), projector];
};

const measure = async (place: Place): Promise<void> => {
  const { store, reader } = place;
  await fill(store);
  await readEverything(store);
  const baseline = await rate(events, () => readEverything(store));
  const [rows, history] = await projectAll(place, historyProjection);
  await history.close();
  report({ name: 'projector.postgres.rowPerEvent', value: rows, unit: 'events/s', baseline });
  const [projected, projector] = await projectAll(place, counterProjection(view));
  report({ name: 'projector.postgres', value: projected, unit: 'events/s', baseline });
  const latencies = await untilVisible(store, reader);
  report({ name: 'projector.visible.p50', value: percentile(latencies, 0.5), unit: 'ms' });
  report({ name: 'projector.visible.p99', value: percentile(latencies, 0.99), unit: 'ms' });
  await projector.close();
};

export const run = async (): Promise<void> => {
  const data = temporaryDirectory('bench-projector');
  const node = await startEventStoreNode(data.path);
  const store = openEventStore({ url: node.url });
  const url = await freshDatabase();
  const writer = openPostgresWriter({ url });
  const reader = openPostgresReader({ url: must(await migrate({ url, readerPassword: 'only for reading' })) });
  try {
    await measure({ store, writer, reader });
  } finally {
    await Promise.all([store.close(), writer.close(), reader.close()]);
    await node.stop();
    await stopServers();
    data.remove();
  }
};
