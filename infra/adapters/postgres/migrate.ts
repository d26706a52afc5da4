/** Migrations, then what every start makes again: functions, views for operators, roles and their rights. Several starters may run it at once. */
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Either, isLeft, right } from 'fp-ts/Either';
import type { Pool } from 'pg';
import type { ViewFault, ViewRefused } from '../../ports/views/view-store';
import { refused } from '../views/view-faults';
import { logRecordGrants } from './log-record';
import { applyMigrations, MigrationRefused } from './migrations/apply';
import { migrations } from './migrations/migrations';
import { openPool, toViewFault, transaction } from './pool';
import { processStatusViews } from './processes/process-status-store';
import { workQueueFunctions } from './processes/work-queue-schema';
import { rowSecurity } from './row-level-security';
import { literal, name, readerLogin, readerRole, schema } from './sql';
import { sealingKey } from './tenant-session';
import { videoReaderViews } from './video/view-tables';
import { viewStatusGrants } from './views/view-status-store';
import { workflowReaderViews } from './workflow/workflow-reader';

export interface MigrateOptions {
  readonly url: string;
  /** Of the role that can only read views. */
  readonly readerPassword: string;
}

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
    await applyMigrations(client, migrations);
    for (const statement of workQueueFunctions) await client.query(statement);
  });

const migrateOnce = (pool: Pool, { url, readerPassword }: MigrateOptions): Promise<void> =>
  transaction(pool, async (client) => {
    const login = readerLogin(databaseOf(url));
    await client.query(turn);
    await applyMigrations(client, migrations);
    const secured = rowSecurity(sealingKey(readerPassword), login);
    for (const statement of [
      ...workQueueFunctions,
      ...grants(login),
      ...viewStatusGrants,
      ...secured,
      ...processStatusViews,
      ...workflowReaderViews,
      ...videoReaderViews,
    ])
      await client.query(statement);
    await client.query(`alter role ${name(login)} password ${literal(verifierOf(readerPassword))}`);
  });

const attemptMigration = async (
  pool: Pool,
  options: MigrateOptions,
): Promise<Either<ViewFault | ViewRefused, void>> => {
  let refusal: string | undefined;
  const migrated = await toViewFault(() =>
    migrateOnce(pool, options).catch((error: unknown) => {
      if (error instanceof MigrationRefused) refusal = error.message;
      throw error;
    }),
  );
  return refusal === undefined ? migrated : refused(refusal);
};

/** Roles belong to the whole server, locks to one database: a starter on another database may get in between. */
const attempts = 5;

/** Answers the URL for reading. Refused: this version must not run on the database. */
export const migrate = async (options: MigrateOptions): Promise<Either<ViewFault | ViewRefused, string>> => {
  const pool = openPool({ url: options.url, connections: 1 });
  try {
    for (let attempt = 1; ; attempt += 1) {
      const migrated = await attemptMigration(pool, options);
      if (!isLeft(migrated)) return right(readerUrl(options));
      if (attempt === attempts || migrated.left.code === 'view-refused') return migrated;
      await sleep(100 * attempt);
    }
  } finally {
    await pool.end();
  }
};
