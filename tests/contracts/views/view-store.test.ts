import { openElasticReader } from '../../../infra/adapters/elastic/view-reader';
import { openElasticWriter } from '../../../infra/adapters/elastic/view-writer';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openPostgresReader } from '../../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../../infra/adapters/postgres/views/view-writer';
import { openRedisReader } from '../../../infra/adapters/redis/views/view-reader';
import { openRedisWriter } from '../../../infra/adapters/redis/views/view-writer';
import { openMemoryViews } from '../../../infra/adapters/views/memory-views';
import { elasticsearchForTests, freshDatabase, valkeyForTests } from '../../support/servers/shared-servers';
import { erasuresContract } from './suite/erasures';
import { generationsContract } from './suite/generations';
import { pagesContract } from './suite/pages';
import { rowsContract } from './suite/rows';
import { unfinishedBuildsContract } from './suite/unfinished-builds';
import { ok, type Stores, type StoreUnderTest } from './suite/view-store';

const opened: Stores[] = [];

const register = (stores: Stores): Stores => {
  opened.push(stores);
  return stores;
};

const memory = async (): Promise<Stores> => {
  const { writer, reader } = openMemoryViews();
  return { writer, other: writer, another: undefined, reader };
};

const postgres = async (): Promise<Stores> => {
  const url = await freshDatabase();
  const reading = ok(await migrate({ url, readerPassword: 'only for reading' }));
  return register({
    writer: openPostgresWriter({ url }),
    other: openPostgresWriter({ url }),
    another: () => openPostgresWriter({ url }),
    reader: openPostgresReader({ url: reading }),
  });
};

const redis = async (): Promise<Stores> => {
  const { url } = await valkeyForTests();
  return register({
    writer: openRedisWriter(url),
    other: openRedisWriter(url),
    another: () => openRedisWriter(url),
    reader: openRedisReader(url),
  });
};

const elastic = async (): Promise<Stores> => {
  const [postgresUrl, { url }] = await Promise.all([freshDatabase(), elasticsearchForTests()]);
  const reading = ok(await migrate({ url: postgresUrl, readerPassword: 'only for reading' }));
  return register({
    writer: openElasticWriter({ url, postgresUrl }),
    other: openElasticWriter({ url, postgresUrl }),
    another: () => openElasticWriter({ url, postgresUrl }),
    reader: openElasticReader({ url, postgresUrl: reading }),
  });
};

const suites: readonly (readonly [string, StoreUnderTest])[] = [
  ['twin as a table', { store: 'postgres', open: memory, apart: false, patches: true, pages: true }],
  ['twin as an index', { store: 'elastic', open: memory, apart: false, patches: false, pages: true }],
  ['twin as keys', { store: 'redis', open: memory, apart: false, patches: true, pages: false }],
  ['Postgres', { store: 'postgres', open: postgres, apart: true, patches: true, pages: true }],
  ['Redis', { store: 'redis', open: redis, apart: true, patches: true, pages: false }],
  ['Elasticsearch', { store: 'elastic', open: elastic, apart: true, patches: false, pages: true }],
];

describe('view store', () => {
  after(async () => {
    for (const { writer, other, reader } of opened)
      await Promise.all([writer, other, reader].map((part) => part.close()));
  });
  for (const [name, suite] of suites)
    describe(name, () => {
      describe('rows', () => rowsContract(suite));
      describe('generations', () => generationsContract(suite));
      describe('erasures', () => erasuresContract(suite));
      describe('unfinished generations', () => unfinishedBuildsContract(suite));
      if (suite.pages) describe('pages', () => pagesContract(suite));
    });
});
