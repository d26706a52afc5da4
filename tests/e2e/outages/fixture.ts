/** Two copies of the projector over three real stores and the log, each behind a proxy of its own. */
import assert from 'node:assert/strict';
import { isRight } from 'fp-ts/Either';
import { openElasticReader } from '../../../infra/adapters/elastic/view-reader';
import { openElasticWriter } from '../../../infra/adapters/elastic/view-writer';
import { openEventStore } from '../../../infra/adapters/eventstore/event-store';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openPostgresReader } from '../../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../../infra/adapters/postgres/views/view-writer';
import { openRedisReader } from '../../../infra/adapters/redis/views/view-reader';
import { openRedisWriter } from '../../../infra/adapters/redis/views/view-writer';
import type { EventStore } from '../../../infra/ports/event-store';
import type { View, ViewReader, ViewWriter } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { type Projector, runProjector } from '../../../projections/kernel/projector/projector';
import { ok } from '../../contracts/views/suite/view-store';
import {
  type CounterRow,
  counterIndex,
  counterIndexProjection,
  counterKeys,
  counterProjection,
  counterTable,
} from '../../support/domain/counter-context';
import { startDedicatedValkey } from '../../support/servers/dedicated-valkey';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { elasticsearchForTests, freshDatabase } from '../../support/servers/shared-servers';
import { noopMetrics, recordingLog } from '../../support/waiting/recording-log';
import { fullElastic, fullPostgres, fullRedis } from './full-stores';

export type StoreName = View['store'];

export interface StoredView {
  readonly projection: Projection;
  readonly reader: ViewReader;
}

export interface Outages {
  readonly views: Readonly<Record<StoreName, StoredView>>;
  readonly proxies: Readonly<Record<StoreName | 'log', ServerProxy>>;
  readonly copies: readonly Projector[];
  /** Makes the store fail as with a full disk; the answer undoes it. */
  readonly full: Readonly<Record<StoreName, () => Promise<() => Promise<unknown>>>>;
  readonly close: () => Promise<void>;
}

const numberOf = async (writer: ViewWriter, { view }: Projection): Promise<number> =>
  ok(await writer.open(view)).number;

const addresses = async (logUrl: string) => {
  // First: where there is none, nothing else is started.
  const { url: elastic } = await elasticsearchForTests();
  // Filling it would stop every other file's writes.
  const [postgres, valkey] = await Promise.all([freshDatabase(), startDedicatedValkey()]);
  const reading = ok(await migrate({ url: postgres, readerPassword: 'only for reading' }));
  return { postgres, redis: valkey.url, elastic, reading, log: logUrl, stopValkey: valkey.stop };
};

const copyOf = (urls: Record<StoreName | 'log', string>, projections: readonly Projection[]) => {
  const store: EventStore = openEventStore({ url: urls.log });
  const elasticUrl = urls.elastic.replace(/\/$/, '');
  const writers: Record<StoreName, ViewWriter> = {
    postgres: openPostgresWriter({ url: urls.postgres }),
    redis: openRedisWriter(urls.redis),
    elastic: openElasticWriter({ url: elasticUrl, postgresUrl: urls.postgres }),
  };
  const writerOf = ({ view }: Projection) => writers[view.store];
  const projector = runProjector(projections, { store, writerOf, log: recordingLog(), metrics: noopMetrics });
  const close = async (): Promise<void> => {
    await projector.close();
    await Promise.all([store, ...Object.values(writers)].map((part) => part.close()));
  };
  return { projector, writers, close };
};

export const openOutages = async (logUrl: string): Promise<Outages> => {
  const urls = await addresses(logUrl);
  const proxied = await Promise.all(
    (['postgres', 'redis', 'elastic', 'log'] as const).map(
      async (name) => [name, await openProxy(urls[name])] as const,
    ),
  );
  const proxies = Object.fromEntries(proxied) as Outages['proxies'];
  const through = Object.fromEntries(proxied.map(([name, { url }]) => [name, url])) as Record<
    StoreName | 'log',
    string
  >;
  const name = `outages_${process.pid}`;
  const views: Outages['views'] = {
    postgres: {
      projection: counterProjection(counterTable(name)),
      reader: openPostgresReader({ url: urls.reading }),
    },
    redis: { projection: counterProjection(counterKeys(name)), reader: openRedisReader(urls.redis) },
    elastic: {
      projection: counterIndexProjection(counterIndex(`${name}_index`)),
      reader: openElasticReader({ url: urls.elastic, postgresUrl: urls.reading }),
    },
  };
  const projections = Object.values(views).map(({ projection }) => projection);
  const copies = [copyOf(through, projections), copyOf(through, projections)] as const;
  const { writers } = copies[0];
  const table = async () => `septet.${name}_v${await numberOf(writers.postgres, views.postgres.projection)}`;
  return {
    views,
    proxies,
    copies: copies.map(({ projector }) => projector),
    full: {
      postgres: async () => fullPostgres(urls.postgres, await table()),
      redis: () => fullRedis(urls.redis),
      elastic: () => fullElastic(urls.elastic, `${name}_index`),
    },
    close: async () => {
      await Promise.all(copies.map(({ close }) => close()));
      await Promise.all(Object.values(views).map(({ reader }) => reader.close()));
      await Promise.all(Object.values(proxies).map((proxy) => proxy.close()));
      await urls.stopValkey();
    },
  };
};

export const assertShows = async (
  { projection, reader }: StoredView,
  counterId: string,
  ticks: number,
): Promise<void> => {
  const found = await reader.find(projection.view as unknown as View<CounterRow>, 'acme', { counterId });
  assert.ok(isRight(found), JSON.stringify(found));
  assert.deepEqual([found.right?.ticks, found.right?.revision], [ticks, ticks]);
};
