/** The real stores that a projector writes, each behind a proxy that can take it away. */
import assert from 'node:assert/strict';
import { isLeft } from 'fp-ts/Either';
import { openElasticReader } from '../../../infra/adapters/elastic/view-reader';
import { openElasticWriter } from '../../../infra/adapters/elastic/view-writer';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openPostgresReader } from '../../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../../infra/adapters/postgres/views/view-writer';
import { openRedisReader } from '../../../infra/adapters/redis/views/view-reader';
import { openRedisWriter } from '../../../infra/adapters/redis/views/view-writer';
import type { ViewReader, ViewWriter } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import {
  counterIndex,
  counterIndexProjection,
  counterKeys,
  counterProjection,
  counterTable,
} from '../../support/domain/counter-context';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { elasticsearchForTests, freshDatabase, valkeyForTests } from '../../support/servers/shared-servers';

export interface Kind {
  readonly proxy: ServerProxy;
  readonly writer: ViewWriter;
  readonly reader: ViewReader;
  readonly projection: (name: string) => Projection;
}

const database = async (): Promise<readonly [string, string]> => {
  const url = await freshDatabase();
  const reading = await migrate({ url, readerPassword: 'only for reading' });
  if (isLeft(reading)) assert.fail(reading.left.detail);
  return [url, reading.right];
};

export const kinds: Readonly<Record<string, () => Promise<Kind>>> = {
  Postgres: async () => {
    const [url, reading] = await database();
    const proxy = await openProxy(url);
    return {
      proxy,
      writer: openPostgresWriter({ url: proxy.url }),
      reader: openPostgresReader({ url: reading }),
      projection: (name) => counterProjection(counterTable(name)),
    };
  },
  Redis: async () => {
    const { url } = await valkeyForTests();
    const proxy = await openProxy(url);
    return {
      proxy,
      writer: openRedisWriter(proxy.url),
      reader: openRedisReader(url),
      projection: (name) => counterProjection(counterKeys(name)),
    };
  },
  Elasticsearch: async () => {
    const [[postgresUrl, reading], { url }] = await Promise.all([database(), elasticsearchForTests()]);
    const proxy = await openProxy(url);
    return {
      proxy,
      writer: openElasticWriter({ url: proxy.url.replace(/\/$/, ''), postgresUrl }),
      reader: openElasticReader({ url, postgresUrl: reading }),
      projection: (name) => counterIndexProjection(counterIndex(name)),
    };
  },
};
