/** What the platform's views of every event cost: by themselves, and the other views beside them. */
import { isLeft } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { openEventStore } from '../../infra/adapters/eventstore/event-store';
import { migrate } from '../../infra/adapters/postgres/migrate';
import { openDurablePool } from '../../infra/adapters/postgres/pool';
import { openPostgresReader } from '../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../infra/adapters/postgres/views/view-writer';
import type { EventStore } from '../../infra/ports/event-store';
import type { NamedView, ViewReader, ViewWriter } from '../../infra/ports/views/view-store';
import type { Projection } from '../../projections/kernel/projection';
import { runProjector } from '../../projections/kernel/projector/projector';
import { platformEventsProjection } from '../../projections/platform/events/project';
import { platformStreamsProjection } from '../../projections/platform/streams/project';
import { counterProjection, counterTable, recordTicks } from '../support/domain/counter-context';
import { temporaryDirectory } from '../support/files/temporary-directory';
import { startEventStoreNode } from '../support/servers/event-store-node';
import { freshDatabase, stopServers } from '../support/servers/shared-servers';
import { noopMetrics, recordingLog } from '../support/waiting/recording-log';
import { report } from './measure';

const events = 20_000;
const perStream = 20;

interface Place {
  readonly store: EventStore;
  readonly writer: ViewWriter;
  readonly reader: ViewReader;
  readonly pool: Pool;
}

const fill = async (store: EventStore): Promise<void> => {
  for (let index = 0; index < events / perStream; index += 16) {
    const ids = Array.from({ length: Math.min(16, events / perStream - index) }, (_, nth) => `c${index + nth}`);
    await Promise.all(ids.map((id) => recordTicks(store, id, perStream - 1)));
  }
};

const reaches = async (reader: ViewReader, view: NamedView, position: bigint): Promise<void> => {
  for (;;) {
    const at = await reader.checkpoint(view);
    if (!isLeft(at) && typeof at.right === 'bigint' && at.right >= position) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

/** Events a second of the first of them, and of all, from empty tables to the end of the log. */
const projected = async ({ store, writer, reader }: Place, projections: readonly Projection[]) => {
  const head = await store.head();
  if (isLeft(head) || head.right === null) throw new Error('the log is empty');
  const end = head.right;
  for (const { view } of projections) await writer.open(view);
  const began = performance.now();
  const projector = runProjector(projections, {
    store,
    log: recordingLog(),
    metrics: noopMetrics,
    writerOf: () => writer,
  });
  const rates = await Promise.all(
    projections.map(async ({ view }) => {
      await reaches(reader, view, end);
      return (events * 1000) / (performance.now() - began);
    }),
  );
  await projector.close();
  return rates;
};

const counter = (name: string): Projection => counterProjection(counterTable(name));
const platform = [platformStreamsProjection, platformEventsProjection];

const forget = async ({ pool }: Place): Promise<void> => {
  for (const { view } of platform) {
    const { rows } = await pool.query<{ number: string }>(
      'select number from septet.view_generations where view = $1',
      [view.name],
    );
    for (const { number } of rows) await pool.query(`drop table septet."${view.name}_v${number}" cascade`);
    await pool.query('delete from septet.view_generations where view = $1', [view.name]);
  }
};

const bytesOf = async ({ pool }: Place, view: string): Promise<number> => {
  const { rows } = await pool.query<{ bytes: string }>(
    `select pg_total_relation_size(format('septet.%I', view || '_v' || number)::regclass) as bytes
     from septet.view_generations where view = $1 and active`,
    [view],
  );
  return Number(rows[0]?.bytes) / events;
};

const measure = async (place: Place): Promise<void> => {
  await fill(place.store);
  const sums = { alone: 0, beside: 0, streams: 0, events: 0 };
  const rounds = 2;
  // Turn about, so that what else the machine does falls on both.
  for (let round = 0; round < rounds; round += 1) {
    const [alone = 0] = await projected(place, [counter(`bench_alone_${round}`)]);
    const [beside = 0, streams = 0, all = 0] = await projected(place, [counter(`bench_beside_${round}`), ...platform]);
    sums.alone += alone / rounds;
    sums.beside += beside / rounds;
    sums.streams += streams / rounds;
    sums.events += all / rounds;
    if (round < rounds - 1) await forget(place);
  }
  report({ name: 'platform.other.alone', value: sums.alone, unit: 'events/s' });
  report({ name: 'platform.other.beside', value: sums.beside, unit: 'events/s', baseline: sums.alone });
  report({ name: 'platform.streams', value: sums.streams, unit: 'events/s' });
  report({ name: 'platform.events', value: sums.events, unit: 'events/s' });
  for (const { view } of platform)
    report({ name: `platform.bytes.${view.name}`, value: await bytesOf(place, view.name), unit: 'bytes/event' });
};

export const run = async (): Promise<void> => {
  const data = temporaryDirectory('bench-platform');
  const node = await startEventStoreNode(data.path);
  const store = openEventStore({ url: node.url });
  const url = await freshDatabase();
  const migrated = await migrate({ url, readerPassword: 'only for reading' });
  if (isLeft(migrated)) throw new Error(migrated.left.detail);
  const place = {
    store,
    writer: openPostgresWriter({ url }),
    reader: openPostgresReader({ url: migrated.right }),
    pool: openDurablePool({ url }),
  };
  try {
    await measure(place);
  } finally {
    await Promise.all([place.writer.close(), place.reader.close(), place.pool.end(), store.close()]);
    await node.stop();
    data.remove();
    await stopServers();
  }
};
