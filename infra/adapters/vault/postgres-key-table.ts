/** Wrapped keys and erasure progress in Postgres, in a schema that reading roles cannot access. */
import type { Pool, PoolClient } from 'pg';
import type { FoundRow, KeyRow, KeyTable, MasterRow } from '../../ports/vault';
import { transaction } from '../postgres/pool';
import { createVaultQuery, openVaultPool, schema, type VaultQuery } from './postgres-schema';

const columns = 'id, subject, master, wrapped';

const keyReads = (query: VaultQuery) => ({
  ofSubject: (subject: string) =>
    query(async (pool) => {
      const text = `select ${columns} from ${schema}.keys where subject = $1 and wrapped is not null`;
      return (await pool.query<KeyRow>({ name: 'vault-subject', text, values: [subject] })).rows[0];
    }),
  byId: (id: string, ahead: number) =>
    query(async (pool) => {
      const text = `select ${columns} from ${schema}.keys
        where number >= (select number from ${schema}.keys where id = $1) order by number limit $2`;
      return (await pool.query<FoundRow>({ name: 'vault-id', text, values: [id, ahead + 1] })).rows;
    }),
  active: () =>
    query(async (pool) => {
      const text = `select id from ${schema}.masters where active`;
      return (await pool.query<{ id: string }>(text)).rows[0]?.id;
    }),
  masters: () =>
    query(async (pool) => {
      const text = `select id, active, (select count(*)::int from ${schema}.keys
        where master = masters.id and wrapped is not null) as keys from ${schema}.masters order by id`;
      return (await pool.query<MasterRow>(text)).rows;
    }),
  stale: (limit: number) =>
    query(async (pool) => {
      const text = `select ${columns} from ${schema}.keys where wrapped is not null
        and master <> (select id from ${schema}.masters where active) order by number limit $1`;
      return (await pool.query<KeyRow>(text, [limit])).rows;
    }),
});

/** `for share`: a rotation waits for concurrent inserts, and later inserts see that the master key is inactive. */
const insertText = `insert into ${schema}.keys (${columns})
  select $1, $2, id, $4 from ${schema}.masters where id = $3 and active for share on conflict do nothing`;

const activate = async (client: PoolClient, master: string, onlyFirst: boolean): Promise<void> => {
  await client.query(`lock table ${schema}.masters in exclusive mode`);
  if (onlyFirst && (await client.query(`select from ${schema}.masters where active`)).rows.length > 0) return;
  await client.query(`update ${schema}.masters set active = false where active`);
  await client.query(
    `insert into ${schema}.masters (id, active) values ($1, true) on conflict (id) do update set active = true`,
    [master],
  );
};

const eraseText = `insert into ${schema}.keys (id, subject, master, wrapped, erased_at)
  select id, '', '', null, now() from unnest($1::text[]) as id
  on conflict (id) do update set wrapped = null, erased_at = coalesce(${schema}.keys.erased_at, now())`;

const rewrapText = `update ${schema}.keys as k set master = c.master, wrapped = c.after
  from json_to_recordset($1::json) as c(id text, master text, before text, after text)
  where k.id = c.id and k.wrapped = c.before
    and exists (select from ${schema}.masters as m where m.id = c.master and m.active)`;

const retireText = `delete from ${schema}.masters where id = $1 and not active
  and not exists (select from ${schema}.keys where master = $1 and wrapped is not null)`;

const keyWrites = (query: VaultQuery): Pick<KeyTable, 'insert' | 'erase' | 'activate' | 'rewrap' | 'retire'> => ({
  insert: ({ id, subject, master, wrapped }) =>
    query(async (pool) => (await pool.query(insertText, [id, subject, master, wrapped])).rowCount === 1),
  erase: (ids) =>
    query(async (pool) => {
      if (ids.length > 0) await pool.query(eraseText, [[...new Set(ids)].sort()]);
    }),
  activate: (master, onlyFirst) => query((pool) => transaction(pool, (client) => activate(client, master, onlyFirst))),
  rewrap: (changes) =>
    query(async (pool) => {
      const rows = changes.map(({ before, after }) => ({
        id: before.id,
        master: after.master,
        before: before.wrapped,
        after: after.wrapped,
      }));
      await pool.query(rewrapText, [JSON.stringify(rows)]);
    }),
  retire: (master) => query(async (pool) => (await pool.query(retireText, [master])).rowCount === 1),
});

/** A session-level lock, released when the connection ends. */
const withRotationLock = async <A>(pool: Pool, work: () => Promise<A>): Promise<A | undefined> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock(7079) as got');
    if (rows[0]?.got !== true) return undefined;
    try {
      return await work();
    } finally {
      // Unlocks explicitly: the server notices a closed connection only later.
      await client.query('select pg_advisory_unlock(7079)').catch(() => undefined);
    }
  } finally {
    client.release(true);
  }
};

const recordErasedText = `insert into ${schema}.erasure_progress (position) values ($1)
  on conflict (id) do update set position = excluded.position`;

const erasureProgress = (query: VaultQuery): Pick<KeyTable, 'erasedTo' | 'recordErasedTo'> => ({
  erasedTo: () =>
    query(async (pool) => {
      const { rows } = await pool.query<{ position: string }>(`select position from ${schema}.erasure_progress`);
      return rows[0] === undefined ? null : BigInt(rows[0].position);
    }),
  recordErasedTo: (position) =>
    query(async (pool) => {
      if (position === null) await pool.query(`delete from ${schema}.erasure_progress`);
      else await pool.query(recordErasedText, [String(position)]);
    }),
});

export const openPostgresKeyTable = (url: string): KeyTable => {
  const pool = openVaultPool(url);
  const query = createVaultQuery(pool);
  return {
    ...keyReads(query),
    ...keyWrites(query),
    ...erasureProgress(query),
    alone: (work) => query(() => withRotationLock(pool, work)),
    close: () => pool.end(),
  };
};
