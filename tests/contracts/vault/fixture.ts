/** A real log, a real vault and real views of something personal, for the tests of one describe. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { isLeft } from 'fp-ts/Either';
import { openElasticReader } from '../../../infra/adapters/elastic/view-reader';
import { openElasticWriter } from '../../../infra/adapters/elastic/view-writer';
import { migrate } from '../../../infra/adapters/postgres/migrate';
import { openPostgresReader } from '../../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../../infra/adapters/postgres/views/view-writer';
import { openRedisReader } from '../../../infra/adapters/redis/views/view-reader';
import { openRedisWriter } from '../../../infra/adapters/redis/views/view-writer';
import { openEncryptingStore } from '../../../infra/adapters/vault/encrypting-store';
import { openLocalWrapping } from '../../../infra/adapters/vault/local-key-wrapping';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import { openVault } from '../../../infra/adapters/vault/subject-keys';
import type { EventStore } from '../../../infra/ports/event-store';
import type { Vault } from '../../../infra/ports/vault';
import type { ViewReader, ViewWriter } from '../../../infra/ports/views/view-store';
import type { Projection } from '../../../projections/kernel/projection';
import { memberIndex, memberKeys, memberProjection, memberTable } from '../../support/domain/personal-context';
import { temporaryDirectory } from '../../support/files/temporary-directory';
import { openProxy, type ServerProxy } from '../../support/servers/proxy';
import { elasticsearchForTests, freshDatabase, valkeyForTests } from '../../support/servers/shared-servers';

const masterKey = randomBytes(32);
export const masterKeyForTests = masterKey.toString('base64url');
const heldMilliseconds = 300;

export interface PersonalView {
  readonly name: string;
  readonly projection: Projection;
  readonly writer: ViewWriter;
  readonly reader: ViewReader;
}

export interface VaultFixture {
  database: string;
  elastic: string;
  redis: string;
  /** The vault's Postgres alone is behind it. */
  proxy: ServerProxy;
  keys: string;
  personalViews: readonly PersonalView[];
  readonly closing: (() => Promise<unknown>)[];
}

const openPersonalViews = async (stage: VaultFixture, reading: string): Promise<readonly PersonalView[]> => {
  const run = `${process.pid}_${Date.now()}`;
  const { database: url, elastic, redis } = stage;
  const views = [
    {
      view: memberTable(`test_members_${run}`),
      writer: openPostgresWriter({ url }),
      reader: openPostgresReader({ url: reading }),
    },
    { view: memberKeys(`test_members_${run}`), writer: openRedisWriter(redis), reader: openRedisReader(redis) },
    {
      view: memberIndex(`test_members_${run}`),
      writer: openElasticWriter({ url: elastic, postgresUrl: url }),
      reader: openElasticReader({ url: elastic, postgresUrl: reading }),
    },
  ];
  return views.map(({ view, writer, reader }) => {
    stage.closing.push(writer.close, reader.close);
    return {
      name: view.store,
      projection: memberProjection({ ...view, name: `${view.name}_${view.store}` }),
      writer,
      reader,
    };
  });
};

/** Registers its hooks with the describe that calls it. */
export const useVault = (): VaultFixture => {
  const stage = { closing: [] } as unknown as VaultFixture;
  const home = temporaryDirectory('vault-keys');
  before(async () => {
    // First: where there is none, nothing else is started.
    const [elastic, redis] = await Promise.all([elasticsearchForTests(), valkeyForTests()]);
    const database = await freshDatabase();
    const reading = await migrate({ url: database, readerPassword: 'only for reading' });
    if (isLeft(reading)) assert.fail(reading.left.detail);
    const proxy = await openProxy(database);
    Object.assign(stage, { database, proxy, keys: home.path, elastic: elastic.url, redis: redis.url });
    stage.personalViews = await openPersonalViews(stage, reading.right);
  });
  after(async () => {
    await Promise.all(stage.closing.splice(0).map((close) => close()));
    await stage.proxy.close();
    home.remove();
  });
  return stage;
};

/** The vault as a process has it, which holds nothing yet. */
export const openProcess = (
  stage: VaultFixture,
  log: EventStore,
  url = stage.database,
): { vault: Vault; store: EventStore } => {
  const wrapping = openLocalWrapping({ directory: stage.keys, masterKey });
  const vault = openVault({ table: openPostgresKeyTable(url), wrapping }, heldMilliseconds);
  stage.closing.push(vault.close);
  return { vault, store: openEncryptingStore(log, vault) };
};
