/**
 * Applies numbered migrations in the caller's transaction, and records each in the schema's table `migrations`. The caller holds the lock by
 * which starters take turns.
 */
import { DatabaseError, type PoolClient } from 'pg';

/** Its number is its place in the list. Once released, it does not change. */
export interface Migration {
  readonly name: string;
  readonly statements: readonly string[];
}

/** One of the time before migrations were recorded: a database that has the column has been through it. */
export interface UnrecordedMigration extends Migration {
  readonly adds: readonly [table: string, column: string];
}

export interface Migrations {
  readonly schema: string;
  /** The first ones. None is added to them. */
  readonly unrecorded: readonly UnrecordedMigration[];
  readonly recorded: readonly Migration[];
}

/** Trying again does not help: the database is of a newer version, or a migration fails on it. */
export class MigrationRefused extends Error {}

/** What ends by itself: the connection, a deadlock, a lack of resources, a lock or an operator. */
const isPassing = (error: unknown): boolean =>
  !(error instanceof DatabaseError) || /^(08|40|53|55|57)/.test(error.code ?? '');

interface Recorded {
  readonly number: number;
  readonly name: string;
}

const requireKnown = ({ schema }: Migrations, all: readonly Migration[], recorded: readonly Recorded[]): void => {
  const unknown = recorded.find(({ number, name }) => all[number - 1]?.name !== name);
  if (unknown === undefined) return;
  throw new MigrationRefused(
    `The schema ${schema} is of a newer version of Septet, whose migration ${unknown.number} (${unknown.name}) this version does not know. Start that version, or restore a backup of this one.`,
  );
};

const adopt = async (client: PoolClient, { schema, unrecorded }: Migrations): Promise<readonly number[]> => {
  const { rows } = await client.query<{ number: number }>(
    `select migration.number::integer from unnest($1::text[], $2::text[]) with ordinality as migration ("table", "column", number)
       join pg_attribute on attrelid = to_regclass(format('%I.%I', $3::text, migration."table")) and attname = migration."column"
         and not attisdropped`,
    [unrecorded.map(({ adds: [table] }) => table), unrecorded.map(({ adds: [, column] }) => column), schema],
  );
  return rows.map(({ number }) => number);
};

const applyOne = async (client: PoolClient, schema: string, { number, name, statements }: Migration & Recorded) => {
  try {
    for (const statement of statements) await client.query(statement);
  } catch (error) {
    if (isPassing(error)) throw error;
    const { code } = error as DatabaseError;
    throw new MigrationRefused(
      `Migration ${number} of the schema ${schema} (${name}) failed and was rolled back: Postgres answers with error ${code}.`,
    );
  }
};

/** Returns the names of the applied migrations. */
export const applyMigrations = async (client: PoolClient, migrations: Migrations): Promise<readonly string[]> => {
  const { schema, unrecorded, recorded } = migrations;
  const all: readonly Migration[] = [...unrecorded, ...recorded];
  const table = `${schema}.migrations`;
  const { rows: known } = await client.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    table,
  ]);
  if (known[0]?.exists !== true) {
    await client.query(`create schema if not exists ${schema}`);
    await client.query(
      `create table ${table} (number integer primary key, name text not null, applied timestamptz not null default now())`,
    );
  }
  const { rows } = await client.query<Recorded>(`select number, name from ${table} order by number`);
  requireKnown(migrations, all, rows);
  const done = new Set(rows.map(({ number }) => number));
  const present = new Set(rows.length === 0 ? await adopt(client, migrations) : []);
  const applied: string[] = [];
  for (const [index, migration] of all.entries()) {
    const number = index + 1;
    if (done.has(number)) continue;
    if (!present.has(number)) {
      await applyOne(client, schema, { ...migration, number });
      applied.push(migration.name);
    }
    await client.query(`insert into ${table} (number, name) values ($1, $2)`, [number, migration.name]);
  }
  return applied;
};
