/** Connection pool, schema and fault mapping of the vault. */
import { type Either, left, right } from 'fp-ts/Either';
import { DatabaseError, type Pool } from 'pg';
import type { VaultFault } from '../../ports/vault';
import { applyMigrations, MigrationRefused, type Migrations } from '../postgres/migrations/apply';
import { openPool, transaction } from '../postgres/pool';
import { unavailable } from './faults';

export const schema = 'septet_vault';

const migrations: Migrations = {
  schema,
  unrecorded: [
    {
      // An erased key keeps its row, which distinguishes it from an unknown one.
      name: 'keys',
      adds: ['keys', 'id'],
      statements: [
        `create table if not exists ${schema}.masters (id text primary key, active boolean not null)`,
        `create unique index if not exists masters_active on ${schema}.masters (active) where active`,
        `create table ${schema}.keys (
           number bigint generated always as identity, id text primary key, subject text not null, master text not null,
           wrapped text, made_at timestamptz not null default now(), erased_at timestamptz)`,
        `create unique index keys_subject on ${schema}.keys (subject) where wrapped is not null`,
        `create unique index keys_number on ${schema}.keys (number)`,
        `create index keys_master on ${schema}.keys (master) where wrapped is not null`,
      ],
    },
    {
      name: 'progress of erasures',
      adds: ['erasure_progress', 'position'],
      statements: [
        `create table ${schema}.erasure_progress (
           id boolean primary key default true check (id), position bigint not null)`,
        `drop table if exists ${schema}.scrubs`,
      ],
    },
  ],
  recorded: [],
};

const maxQueryMilliseconds = 3_000;

/** Synchronous commits, because the log depends on them; short statement timeouts. */
export const openVaultPool = (url: string): Pool =>
  openPool({
    url,
    durable: true,
    connectMilliseconds: maxQueryMilliseconds,
    statementMilliseconds: maxQueryMilliseconds,
    answerMilliseconds: maxQueryMilliseconds,
    name: 'septet-vault',
  });

/** Drops the server's message, which may quote rows. */
const toVaultFault = (error: unknown): VaultFault => {
  if (error instanceof MigrationRefused) return unavailable(error.message);
  const code = error instanceof DatabaseError ? (error.code ?? '') : '';
  return unavailable(
    code === ''
      ? 'The vault in Postgres cannot be reached right now.'
      : `The vault in Postgres answers with error ${code}.`,
  );
};

export type VaultQuery = <A>(work: (pool: Pool) => Promise<A>) => Promise<Either<VaultFault, A>>;

export const createVaultTables = (pool: Pool): Promise<void> =>
  transaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock(7078)');
    await applyMigrations(client, migrations);
  });

/** The first query creates the schema. */
export const createVaultQuery = (pool: Pool): VaultQuery => {
  let ready: Promise<void> | undefined;
  return async (work) => {
    try {
      ready ??= createVaultTables(pool);
      await ready.catch((error: unknown) => {
        ready = undefined;
        throw error;
      });
      return right(await work(pool));
    } catch (error) {
      return left(toVaultFault(error));
    }
  };
};
