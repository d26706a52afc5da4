/** Dumped tables put into tables that are empty: all of them or none. */
import { createReadStream } from 'node:fs';
import * as t from 'io-ts';
import type { Pool, PoolClient } from 'pg';
import { linesOf } from '../../../../packages/eventstore-node/src/transfer/index';
import { openPool, transaction } from '../../../adapters/postgres/pool';
import { OperatorError } from '../../launch/operator-error';
import type { TableHeader } from './postgres-dump';
import { mustBeEmpty } from './postgres-tables';

export interface Load {
  readonly directory: string;
  readonly tables: readonly string[];
  readonly sequences: { readonly [sequence: string]: string };
}

const Header = t.strict({ table: t.string, columns: t.array(t.string) }, 'TableHeader');

const maxRowsAtOnce = { rows: 500, characters: 4_000_000 };

const headerIn = (line: string, table: string): TableHeader => {
  const header: unknown = JSON.parse(line);
  if (!Header.is(header) || header.table !== table) throw new OperatorError(`The dump of ${table} has another form.`);
  return header;
};

/** A table that has become wider since takes its defaults; one that lacks a column belongs to an older version. */
const insertText = async (client: PoolClient, { table, columns }: TableHeader): Promise<string> => {
  const text = `select attname from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped`;
  const { rows } = await client.query<{ attname: string }>(text, [table]);
  const there = new Set(rows.map(({ attname }) => attname));
  const unknown = columns.filter((column) => !there.has(column));
  if (unknown.length > 0)
    throw new OperatorError(
      `The backup was made by a newer version: ${table} has no column ${unknown.join(', ')} here.`,
    );
  const names = columns.map((column) => client.escapeIdentifier(column)).join(', ');
  return `insert into ${table} (${names}) overriding system value
    select ${names} from json_populate_recordset(null::${table}, $1::json)`;
};

const fill = async (client: PoolClient, path: string, table: string): Promise<void> => {
  let insert: string | undefined;
  let rows: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (rows.length > 0) await client.query(insert as string, [`[${rows.join(',')}]`]);
    [rows, characters] = [[], 0];
  };
  for await (const { text: line } of linesOf(createReadStream(path) as AsyncIterable<Buffer>)) {
    if (insert === undefined) {
      insert = await insertText(client, headerIn(line, table));
      continue;
    }
    rows.push(line);
    characters += line.length;
    if (rows.length >= maxRowsAtOnce.rows || characters >= maxRowsAtOnce.characters) await flush();
  }
  await flush();
};

const inUse = (table: string): string => `Postgres is in use: there are rows in ${table}. Nothing is overwritten.`;

const isUsed = async (client: PoolClient, table: string): Promise<boolean> => {
  const { rows: found } = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
    table,
  ]);
  if (found[0]?.there !== true) return false;
  const { rows } = await client.query<{ used: boolean }>(`select exists (select from ${table}) as used`);
  return rows[0]?.used === true;
};

/** Locked until the end, so that no other process fills it. */
const requireEmptyTable = async (client: PoolClient, table: string): Promise<void> => {
  await client.query(`lock table ${table} in exclusive mode`);
  if (await isUsed(client, table)) throw new OperatorError(inUse(table));
};

/** Before anything is changed, of a database that is there already. */
export const requireEmptyDatabase = async (url: string): Promise<void> => {
  const pool = openPool({ url, connections: 1 });
  const client = await pool.connect();
  try {
    for (const table of mustBeEmpty) if (await isUsed(client, table)) throw new OperatorError(inUse(table));
  } finally {
    client.release();
    await pool.end();
  }
};

export const loadTables = (pool: Pool, { directory, tables, sequences }: Load): Promise<void> =>
  transaction(pool, async (client) => {
    for (const table of tables) await requireEmptyTable(client, table);
    for (const table of tables) await fill(client, `${directory}/${table}.jsonl`, table);
    for (const [sequence, next] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2::bigint, false)', [sequence, next]);
  });
