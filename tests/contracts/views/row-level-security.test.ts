/** The role that reads: one tenant at a time, views only, whatever SQL it is made to run. */
import assert from 'node:assert/strict';
import { Client } from 'pg';
import { migrate, readerUrl } from '../../../infra/adapters/postgres/migrate';
import { sealedTenant, sealingKey } from '../../../infra/adapters/postgres/tenant-session';
import { openPostgresReader } from '../../../infra/adapters/postgres/views/view-reader';
import { openPostgresWriter } from '../../../infra/adapters/postgres/views/view-writer';
import { openPostgresKeyTable } from '../../../infra/adapters/vault/postgres-key-table';
import type { View, ViewReader, ViewWriter } from '../../../infra/ports/views/view-store';
import { freshDatabase } from '../../support/servers/shared-servers';
import { batch, found, ok, put, thing, thingsView } from './suite/view-store';

const readerPassword = 'only for reading';
const seal = (tenant: string): string => sealedTenant(sealingKey(readerPassword), tenant);

describe('rights of the reading role', function () {
  this.timeout(120_000);
  const view: View = thingsView('postgres');
  let url: string;
  let owner: Client;
  let raw: Client;
  let writer: ViewWriter;
  let reader: ViewReader;
  let table: string;
  /** As a literal. */
  let login: string;

  before(async () => {
    url = await freshDatabase();
    const reading = ok(await migrate({ url, readerPassword }));
    login = `'${new URL(reading).username}'`;
    writer = openPostgresWriter({ url });
    reader = openPostgresReader({ url: reading });
    [owner, raw] = [new Client({ connectionString: url }), new Client({ connectionString: reading })];
    await Promise.all([owner.connect(), raw.connect()]);
    // What the vault keeps must be there to be refused.
    const keys = openPostgresKeyTable(url);
    ok(await keys.masters());
    await keys.close();
    const { number } = ok(await writer.open(view));
    table = `septet.${view.name}_v${number}`;
    const rows = [thing('a'), thing('a', { tenantId: 'other', size: 9 }), thing('b', { tenantId: 'other' })];
    ok(await writer.apply(view, batch(number, [null, 10n], rows.map(put))));
  });
  after(async () => {
    await Promise.all([owner.end(), raw.end(), writer.close(), reader.close()]);
  });

  const tenantsSeen = async (from: string, setting: string): Promise<readonly string[]> => {
    await raw.query(`select set_config('septet.tenant', $1, false)`, [setting]);
    const { rows } = await raw.query<{ tenantId: string }>(`select distinct "tenantId" from ${from}`);
    return rows.map(({ tenantId }) => tenantId);
  };

  it('shows no row to who names no tenant, names one without its seal, or with that of another', async () => {
    for (const from of [`septet.${view.name}`, table])
      for (const setting of [
        '',
        'acme',
        'acme:',
        `acme:${'0'.repeat(64)}`,
        `other${seal('acme').slice(4)}`,
        'a'.repeat(64),
      ])
        assert.deepEqual(await tenantsSeen(from, setting), [], `${from} as ${setting}`);
  });

  it('shows one tenant its rows, through the view and beside it', async () => {
    for (const from of [`septet.${view.name}`, table]) {
      assert.deepEqual(await tenantsSeen(from, seal('acme')), ['acme']);
      assert.deepEqual(await tenantsSeen(from, seal('other')), ['other']);
    }
  });

  it('shows nothing of others to SQL that came in with a value', async () => {
    await raw.query(`select set_config('septet.tenant', $1, false)`, [seal('acme')]);
    const injections = [
      `select count(*) from ${table} where true or "tenantId" = 'other'`,
      `select count(*) from ${table} where set_config('septet.tenant', 'other', false) is not null or true`,
      `with forged as materialized (select set_config('septet.tenant', 'other:${'0'.repeat(64)}', false))
       select count(*) from ${table}, forged`,
    ];
    for (const text of injections) {
      await raw.query(`select set_config('septet.tenant', $1, false)`, [seal('acme')]);
      const { rows } = await raw.query<{ count: string }>(text);
      assert.ok(Number(rows[0]?.count) <= 1, text);
    }
    for (const text of [
      `select septet.tenant() from septet.reader_key`,
      `set role ${new URL(url).username}`,
      `set session authorization ${new URL(url).username}`,
      `select pg_read_file('/etc/hostname')`,
      `copy (select 1) to program 'true'`,
      `alter table ${table} disable row level security`,
      `create function septet.mine() returns int language sql as 'select 1'`,
    ])
      await assert.rejects(raw.query(text), /permission denied|must be owner|read-only/, text);
    await raw.query('begin; set local row_security = off');
    await assert.rejects(raw.query(`select * from ${table}`), /row-level security/);
    await raw.query('rollback');
  });

  it('takes hostile values of a query as values', async () => {
    for (const id of [`a' or '1'='1`, `a"; drop table ${table}; --`, `$1`, 'a\\']) {
      assert.equal(await found(reader, view, id), undefined);
      const request = { where: { id }, order: [{ field: 'id', direction: 'asc' }], limit: 5 } as const;
      assert.deepEqual(ok(await reader.page(view as never, `other' or true --`, request as never)), []);
    }
    assert.deepEqual(await found(reader, view, 'a'), thing('a'));
    assert.deepEqual(await found(reader, view, 'a', 'other'), thing('a', { tenantId: 'other', size: 9 }));
  });

  it('reads views and their registry, and no other table there is', async () => {
    const { rows } = await owner.query<{ name: string; reads: boolean; writes: boolean }>(
      `select n.nspname || '.' || c.relname as name, has_table_privilege(${login}, c.oid, 'select') as reads,
         has_table_privilege(${login}, c.oid, 'insert, update, delete, truncate, references, trigger') as writes
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'v', 'm', 'p', 'f') and nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    );
    const names = rows.map(({ name }) => name);
    for (const name of ['septet_vault.keys', 'septet.work_jobs']) assert.ok(names.includes(name), String(names));
    const readable = rows.filter(({ reads }) => reads).map(({ name }) => name);
    // Views that show a tenant its own alone, over tables out of reach.
    const ofTenant = [
      'septet.workflow_job_activity',
      'septet.workflow_runner_activity',
      'septet.workflow_group_members',
      'septet.workflow_log_records',
      'septet.workflow_log_chunk_records',
      'septet.video_watch_position_records',
    ];
    for (const name of ofTenant) {
      const found = await owner.query<{ text: string }>('select pg_get_viewdef($1::regclass) as text', [name]);
      assert.match(found.rows[0]?.text ?? '', /\btenant\(\)/, name);
    }
    const open = [`septet.${view.name}`, table, 'septet.logs', 'septet.view_generations', ...ofTenant];
    assert.deepEqual(
      readable.filter((name) => !open.includes(name) && !name.startsWith('septet.platform_')),
      [],
    );
    assert.deepEqual(
      rows.filter(({ writes }) => writes),
      [],
    );
  });

  it('writes nothing, not even for a while, and takes no more than its share', async () => {
    await raw.query('set default_transaction_read_only = off');
    for (const text of ['create temp table mine (a int)', 'create table public.mine (a int)', 'select lo_create(0)'])
      await assert.rejects(raw.query(text), /permission denied/, text);
    const { rows } = await raw.query<{ statement_timeout: string }>('show statement_timeout');
    assert.equal(rows[0]?.statement_timeout, '10s');
    const limit = await owner.query(`select from pg_roles where rolname = ${login} and rolconnlimit > 0
      and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls)`);
    assert.equal(limit.rowCount, 1);
  });

  it('has a login for each database of a server, whose password no other database changes', async () => {
    const other = await freshDatabase();
    const reading = ok(await migrate({ url: other, readerPassword: 'another one' }));
    assert.notEqual(`'${new URL(reading).username}'`, login);
    for (const [database, password, isLetIn] of [
      [url, readerPassword, true],
      [other, 'another one', true],
      [url, 'another one', false],
    ] as const) {
      const client = new Client({ connectionString: readerUrl({ url: database, readerPassword: password }) });
      const connected = client.connect();
      await (isLetIn ? connected : assert.rejects(connected, /password authentication failed/));
      if (isLetIn) await client.end();
    }
  });

  it('protects, at the next start, what was built before there were policies', async () => {
    await owner.query(`alter table ${table} disable row level security`);
    await owner.query(`alter view septet.${view.name} reset (security_invoker)`);
    assert.deepEqual((await tenantsSeen(`septet.${view.name}`, '')).length, 2);
    ok(await migrate({ url, readerPassword }));
    assert.deepEqual(await tenantsSeen(`septet.${view.name}`, ''), []);
    assert.deepEqual(await tenantsSeen(`septet.${view.name}`, seal('acme')), ['acme']);
  });
});
