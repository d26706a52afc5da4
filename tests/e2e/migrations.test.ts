/** Four that start at once on stores that are empty, or of an older version: one schema, one generation of each view, no fault. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { Client as Elastic } from '@elastic/elasticsearch';
import { Client } from 'pg';
import { typescript } from '../support/runner/compiled';
import { elasticsearchForTests, freshDatabase } from '../support/servers/shared-servers';
import type { Stores } from './migrations/migrate-worker.main';

/** As the first version made it, with a view that it filled. */
const oldSchema = `
  create schema septet;
  create sequence septet.generation_numbers start 8;
  create table septet.view_generations (
    view text not null, number bigint not null, version integer not null, position bigint, active boolean not null,
    held_until timestamptz, touched timestamptz not null default now(), primary key (view, number));
  create unique index view_generations_active on septet.view_generations (view) where active;
  create table septet.old_things_v7 ("tenantId" text not null, id text not null, primary key ("tenantId", id));
  insert into septet.old_things_v7 values ('acme', 'a'), ('other', 'b');
  create view septet.old_things as select "tenantId", id from septet.old_things_v7;
  insert into septet.view_generations (view, number, version, position, active) values ('old_things', 7, 1, 42, true);
  create schema septet_vault;
  create table septet_vault.masters (id text primary key, active boolean not null);
  insert into septet_vault.masters values ('m-1', true)`;

interface Started {
  readonly generations: readonly number[];
  readonly faults: readonly unknown[];
}

const script = join(__dirname, 'migrations', 'migrate-worker.main.ts');

const fourStarters = async (): Promise<readonly ChildProcess[]> => {
  const starters = Array.from({ length: 4 }, () => fork(script, { execArgv: typescript() }));
  await Promise.all(starters.map((one) => once(one, 'message')));
  return starters;
};

const startAtOnce = (starters: readonly ChildProcess[], stores: Stores): Promise<readonly Started[]> => {
  const answers = starters.map(async (one) => {
    const [answer] = (await once(one, 'message')) as [Started];
    return answer;
  });
  for (const one of starters) one.send(stores);
  return Promise.all(answers);
};

describe('four starters at once', function () {
  this.timeout(120_000);
  const name = `test_start_${randomBytes(4).toString('hex')}`;
  let elasticUrl: string;
  let database: Client;
  let url: string;

  let starters: readonly ChildProcess[];
  before(async () => {
    // First: where there is none, nothing else is started.
    elasticUrl = (await elasticsearchForTests()).url;
    starters = await fourStarters();
  });
  after(() =>
    Promise.all(
      starters.map((one) => {
        one.disconnect();
        return once(one, 'exit');
      }),
    ),
  );
  beforeEach(async () => {
    url = await freshDatabase();
    database = new Client({ connectionString: url });
    await database.connect();
  });
  afterEach(() => database.end());

  const agreed = async (given: string): Promise<void> => {
    const view = `${given}_${randomBytes(4).toString('hex')}`;
    const [first, ...others] = await startAtOnce(starters, { postgresUrl: url, elasticUrl, name: view });
    for (const one of [first, ...others]) assert.deepEqual(one?.faults, []);
    for (const one of others) assert.deepEqual(one.generations, first?.generations);
    const { rows } = await database.query('select view from septet.view_generations where view like $1', [`${view}_%`]);
    assert.equal(rows.length, 2);
    const elastic = new Elastic({ node: elasticUrl });
    const indexes = Object.keys(await elastic.indices.get({ index: `${view}_elastic_v*` }));
    assert.deepEqual(indexes, [`${view}_elastic_v${first?.generations[1]}`]);
    await elastic.indices.delete({ index: indexes });
    await elastic.close();
  };

  it('agree on stores that are empty', () => agreed(`${name}_empty`));

  it('bring an older schema to this one, and keep what is in it', async () => {
    await database.query(oldSchema);
    await agreed(`${name}_old`);
    const { rows: remaining } = await database.query('select id from septet.old_things order by id');
    assert.deepEqual(remaining, [{ id: 'a' }, { id: 'b' }]);
    const { rows: known } = await database.query("select * from septet.view_generations where view = 'old_things'");
    assert.deepEqual([known[0].number, known[0].position, known[0].retired], ['7', '42', null]);
    const { rows: guarded } = await database.query(
      "select relrowsecurity as guarded from pg_class where oid = 'septet.old_things_v7'::regclass",
    );
    assert.deepEqual(guarded, [{ guarded: true }]);
    const { rows: masters } = await database.query('select id from septet_vault.masters');
    assert.deepEqual(masters, [{ id: 'm-1' }]);
  });
});
