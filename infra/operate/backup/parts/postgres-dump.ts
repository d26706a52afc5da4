/** Dumps tables as lines of JSON, of one snapshot, in portions, so that no table is in memory as a whole. */
import { type FileHandle, open } from 'node:fs/promises';
import type { Pool, PoolClient } from 'pg';
import { OperatorError } from '../../launch/operator-error';
import { type BackedUpTable, schemas, sequences, unclassifiedTables } from './postgres-tables';

/** The first line of a table's file. */
export interface TableHeader {
  readonly table: string;
  readonly columns: readonly string[];
}

const portion = 500;

const columnsOf = async (client: PoolClient, table: string): Promise<readonly string[]> => {
  const text = `select attname from pg_attribute
    where attrelid = to_regclass($1) and attnum > 0 and not attisdropped order by attnum`;
  const { rows } = await client.query<{ attname: string }>(text, [table]);
  return rows.map(({ attname }) => attname);
};

const selectText = (client: PoolClient, { table, instead = {} }: BackedUpTable, columns: readonly string[]): string => {
  const selected = columns.map((column) => {
    const name = client.escapeIdentifier(column);
    return instead[column] === undefined ? name : `${instead[column]} as ${name}`;
  });
  return `select row_to_json(selected)::text as row from (select ${selected.join(', ')} from ${table}) as selected`;
};

const writeRows = async (client: PoolClient, file: FileHandle): Promise<number> => {
  for (let count = 0; ; ) {
    const { rows } = await client.query<{ row: string }>(`fetch ${portion} from dumped_rows`);
    if (rows.length === 0) return count;
    await file.appendFile(`${rows.map(({ row }) => row).join('\n')}\n`);
    count += rows.length;
  }
};

/** Undefined when the table does not exist. */
const dumpTable = async (client: PoolClient, source: BackedUpTable, directory: string): Promise<number | undefined> => {
  const { table } = source;
  const columns = await columnsOf(client, table);
  if (columns.length === 0) return undefined;
  const file = await open(`${directory}/${table}.jsonl`, 'wx', 0o600);
  try {
    const header: TableHeader = { table, columns };
    await file.appendFile(`${JSON.stringify(header)}\n`);
    await client.query(`declare dumped_rows no scroll cursor for ${selectText(client, source, columns)}`);
    const count = await writeRows(client, file);
    await client.query('close dumped_rows');
    await file.sync();
    return count;
  } finally {
    await file.close();
  }
};

const within = async <A>(pool: Pool, work: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect();
  try {
    await client.query('begin isolation level repeatable read read only');
    return await work(client);
  } finally {
    // The transaction is read only: closing the connection ends it.
    client.release(true);
  }
};

const requireClassifiedTables = async (client: PoolClient): Promise<void> => {
  const text = `select n.nspname || '.' || c.relname as table from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any($1) and c.relkind in ('r', 'p') and not c.relispartition`;
  const { rows } = await client.query<{ table: string }>(text, [schemas]);
  const unknown = unclassifiedTables(rows.map(({ table }) => table));
  if (unknown.length > 0)
    throw new OperatorError(`It is not decided whether ${unknown.join(', ')} is to be backed up.`);
};

export type RowCounts = { readonly [table: string]: number };

/** Writes one file per table, all of one snapshot; returns the number of rows of each. */
export const dumpTables = (pool: Pool, tables: readonly BackedUpTable[], directory: string): Promise<RowCounts> =>
  within(pool, async (client) => {
    await requireClassifiedTables(client);
    const counts: Record<string, number> = {};
    for (const source of tables) {
      const count = await dumpTable(client, source, directory);
      if (count !== undefined) counts[source.table] = count;
    }
    return counts;
  });

/** Sequences have no snapshots. Read last, they exceed every row. */
export const sequenceValues = async (pool: Pool): Promise<{ readonly [sequence: string]: string }> => {
  const values: Record<string, string> = {};
  for (const sequence of sequences) {
    const { rows } = await pool.query<{ there: boolean }>('select to_regclass($1) is not null as there', [sequence]);
    if (rows[0]?.there !== true) continue;
    const text = `select (last_value + case when is_called then 1 else 0 end)::text as next from ${sequence}`;
    values[sequence] = (await pool.query<{ next: string }>(text)).rows[0]?.next ?? '1';
  }
  return values;
};
