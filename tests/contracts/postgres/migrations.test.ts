/** Numbered migrations on a real Postgres: of an empty database, of one from before they were recorded, and of one that is newer. */
import assert from 'node:assert/strict';
import { isLeft, isRight } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { makeTables, migrate } from '../../../infra/adapters/postgres/migrate';
import { applyMigrations, type Migrations } from '../../../infra/adapters/postgres/migrations/apply';
import { migrations } from '../../../infra/adapters/postgres/migrations/migrations';
import { openPool, transaction } from '../../../infra/adapters/postgres/pool';
import {
  createVaultQuery,
  createVaultTables,
  schema as vaultSchema,
} from '../../../infra/adapters/vault/postgres-schema';
import { freshDatabase } from '../../support/servers/shared-servers';
import { catalogueOf } from './catalogue';

const { schema } = migrations;
const all = [...migrations.unrecorded, ...migrations.recorded];
const opened: Pool[] = [];

const freshPool = async (): Promise<Pool & { readonly url: string }> => {
  const url = await freshDatabase();
  const pool = openPool({ url, connections: 8, durable: true });
  opened.push(pool);
  return Object.assign(pool, { url });
};

const namesIn = async (pool: Pool, of = schema): Promise<readonly string[]> => {
  const { rows } = await pool.query<{ name: string }>(`select name from ${of}.migrations order by number`);
  return rows.map(({ name }) => name);
};

/** As versions left it that recorded no migrations, when the first so many of them were there. */
const makeUnrecorded = async (pool: Pool, count: number): Promise<void> => {
  await pool.query(`create schema ${schema}`);
  for (const { statements } of migrations.unrecorded.slice(0, count))
    for (const statement of statements) await pool.query(statement);
};

const applyTo = (pool: Pool, changed: Partial<Migrations>): Promise<readonly string[]> =>
  transaction(pool, (client) => applyMigrations(client, { ...migrations, ...changed }));

describe('migrations of Postgres', () => {
  let expected: readonly string[];
  before(async () => {
    const pool = await freshPool();
    await makeTables(pool);
    expected = await catalogueOf(pool, schema);
  });
  after(() => Promise.all(opened.map((pool) => pool.end())));

  it('make an empty database, each once', async () => {
    const pool = await freshPool();
    assert.deepEqual(
      await applyTo(pool, {}),
      all.map(({ name }) => name),
    );
    assert.deepEqual(await applyTo(pool, {}), []);
    assert.deepEqual(
      await namesIn(pool),
      all.map(({ name }) => name),
    );
  });

  it('have names of their own, by which a database knows them', () =>
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length));

  for (const count of migrations.unrecorded.keys())
    it(`adopt a database that recorded none, with the first ${count + 1}`, async () => {
      const pool = await freshPool();
      await makeUnrecorded(pool, count + 1);
      assert.deepEqual(
        await applyTo(pool, {}),
        all.slice(count + 1).map(({ name }) => name),
      );
      assert.deepEqual(await catalogueOf(pool, schema), expected);
    });

  it('keep what is in the tables', async () => {
    const pool = await freshPool();
    await makeUnrecorded(pool, 8);
    await pool.query(`insert into ${schema}.work_jobs (queue, key, tenant, payload, cause, priority, most_attempts, state, due)
      values ('mail', 'one', 'acme', '{"to": 1}', '{}', 0, 5, 'dropped', now())`);
    assert(isRight(await migrate({ url: pool.url, readerPassword: 'reads' })));
    const { rows } = await pool.query(`select payload, state, progress, failures from ${schema}.work_jobs`);
    assert.deepEqual(rows, [{ payload: { to: 1 }, state: 'dropped', progress: null, failures: [] }]);
  });

  it('are applied once by starters that come at once', async () => {
    const pool = await freshPool();
    const starters = Array.from({ length: 6 }, () => migrate({ url: pool.url, readerPassword: 'reads' }));
    assert((await Promise.all(starters)).every(isRight));
    await Promise.all(Array.from({ length: 4 }, () => createVaultTables(pool)));
    assert.deepEqual(await catalogueOf(pool, schema), expected);
    assert.deepEqual(
      await namesIn(pool),
      all.map(({ name }) => name),
    );
  });

  it('leave nothing behind when one fails, and say which', async () => {
    const pool = await freshPool();
    await makeTables(pool);
    const good = { name: 'a table', statements: [`create table ${schema}.noted (id text primary key)`] };
    const bad = { name: 'a mistake', statements: [`alter table ${schema}.noted add column id text`] };
    await assert.rejects(applyTo(pool, { recorded: [...migrations.recorded, good, bad] }), {
      message: `Migration ${all.length + 2} of the schema septet (a mistake) failed and was rolled back: Postgres answers with error 42701.`,
    });
    assert.deepEqual(await catalogueOf(pool, schema), expected);
    assert.equal((await namesIn(pool)).length, all.length);
    assert.deepEqual(await applyTo(pool, { recorded: [...migrations.recorded, good] }), ['a table']);
  });

  it('refuse a database of a newer version', async () => {
    const pool = await freshPool();
    await makeTables(pool);
    await pool.query(`insert into ${schema}.migrations values ($1, 'videos')`, [all.length + 1]);
    const migrated = await migrate({ url: pool.url, readerPassword: 'reads' });
    assert(isLeft(migrated));
    assert.deepEqual(migrated.left, {
      kind: 'fault',
      code: 'view-refused',
      detail: `The schema septet is of a newer version of Septet, whose migration ${all.length + 1} (videos) this version does not know. Start that version, or restore a backup of this one.`,
    });
  });

  it('refuse a vault of a newer version', async () => {
    const pool = await freshPool();
    await createVaultTables(pool);
    const count = (await namesIn(pool, vaultSchema)).length;
    await pool.query(`insert into ${vaultSchema}.migrations values ($1, 'shares')`, [count + 1]);
    const answer = await createVaultQuery(pool)(async () => 'keys');
    assert(isLeft(answer));
    assert.match(
      answer.left.detail,
      /^The schema septet_vault is of a newer version of Septet, whose migration 3 \(shares\)/,
    );
  });
});
