/** Schema, registry of views and roles. Runs at every start, by several starters at once if need be. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { ViewFault } from '../ports/views/view-store';
import { logRecordGrants, logRecordTables } from './log-record';
import { openPool, toViewFault, transaction } from './pool';
import { processTables } from './processes/process-schema';
import { processLedgerTables } from './processes/process-status-store';
import { rowSecurity } from './row-level-security';
import { literal, name, readerLogin, readerRole, schema } from './sql';
import { sealingKey } from './tenant-session';
import { platformTables } from './views/view-status-store';
import { activityViews } from './workflow/activity';
import { workflowTables } from './workflow/job-claims-schema';
import { logTables } from './workflow/log-schema';

export interface MigrateOptions {
  readonly url: string;
  /** Of the role that can only read views. */
  readonly readerPassword: string;
}

const statements = [
  `create schema if not exists ${schema}`,
  `create sequence if not exists ${schema}.generation_numbers`,
  `create table if not exists ${schema}.view_generations (
     view text not null, number bigint not null, version integer not null, position bigint, active boolean not null,
     held_until timestamptz, touched timestamptz not null default now(), primary key (view, number))`,
  `create unique index if not exists view_generations_active on ${schema}.view_generations (view) where active`,
  `alter table ${schema}.view_generations add column if not exists retired timestamptz`,
  `alter table ${schema}.view_generations add column if not exists recipe text`,
  ...logRecordTables,
  ...processTables,
  ...workflowTables,
  ...logTables,
];

const createRole = (role: string): string =>
  `do $$ begin create role ${name(role)} login; exception when duplicate_object then null; end $$`;

const grants = (login: string): readonly string[] => [
  createRole(readerRole),
  ...(login === readerRole ? [] : [createRole(login), `grant ${readerRole} to ${name(login)}`]),
  `grant usage on schema ${schema} to ${readerRole}`,
  `grant select on ${schema}.view_generations to ${readerRole}`,
  ...logRecordGrants,
];

const iterations = 4_096;

/** RFC 5803, so that the password itself is never sent and stands in no server log. */
const verifierOf = (password: string): string => {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
};

const databaseOf = (url: string): string => decodeURIComponent(new URL(url).pathname.slice(1));

export const readerUrl = ({ url, readerPassword }: MigrateOptions): string => {
  const reader = new URL(url);
  reader.username = encodeURIComponent(readerLogin(databaseOf(url)));
  reader.password = encodeURIComponent(readerPassword);
  return reader.href;
};

/** Starters take turns; the lock goes with the transaction. */
const turn = 'select pg_advisory_xact_lock(7077)';

/** Creates the tables that a restore fills, without the roles: they belong to the whole server, and the next start creates them. */
export const makeTables = (pool: Pool): Promise<void> =>
  transaction(pool, async (client) => {
    await client.query(turn);
    for (const statement of statements) await client.query(statement);
  });

const migrateOnce = (pool: Pool, { url, readerPassword }: MigrateOptions): Promise<void> =>
  transaction(pool, async (client) => {
    const login = readerLogin(databaseOf(url));
    await client.query(turn);
    for (const statement of statements) await client.query(statement);
    const secured = rowSecurity(sealingKey(readerPassword), login);
    for (const statement of [...grants(login), ...platformTables, ...secured, ...processLedgerTables, ...activityViews])
      await client.query(statement);
    await client.query(`alter role ${name(login)} password ${literal(verifierOf(readerPassword))}`);
  });

/** Roles belong to the whole server, locks to one database: a starter on another database may get in between. */
const attempts = 5;

/** Answers the URL for reading. */
export const migrate = async (options: MigrateOptions): Promise<Either<ViewFault, string>> => {
  const pool = openPool({ url: options.url, connections: 1 });
  try {
    for (let attempt = 1; ; attempt += 1) {
      const migrated = await toViewFault(() => migrateOnce(pool, options));
      if (!isLeft(migrated)) return right(readerUrl(options));
      if (attempt === attempts) return migrated;
      await sleep(100 * attempt);
    }
  } finally {
    await pool.end();
  }
};
