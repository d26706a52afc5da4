/** A backup of everything put into a directory that holds nothing yet; what is wrong with either is found before anything is changed. */
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import type { Pool } from 'pg';
import { syncPath, writeDurably } from '../../../packages/data-directory/src/files';
import { describeProcess, lockDirectory } from '../../../packages/data-directory/src/index';
import { makeTables } from '../../adapters/postgres/migrate';
import { openPool, transaction } from '../../adapters/postgres/pool';
import { createVaultTables } from '../../adapters/vault/postgres-schema';
import { OperatorError } from '../launch/operator-error';
import { restoringFile } from '../launch/restore-marker';
import type { Manifest } from './backup-manifest';
import { openPostgresIn } from './installation';
import { restoreBlobs } from './parts/blobs';
import { eraseKeysAgain } from './parts/erased-keys';
import { ownDirectory, placeKeys } from './parts/key-files';
import { carryOver, positionsIn } from './parts/positions-in-postgres';
import { loadTables } from './parts/postgres-load';
import { restoreRepositories } from './parts/repositories';
import { restoreLog } from './parts/restore-log';
import { recordTokenNotBefore } from './parts/token-not-before';
import { checkRestore, postgresIn, type Restore, type RestoreOptions } from './restore-preflight';

const putTables = async (pool: Pool, { options: { from }, manifest: { postgres } }: Restore): Promise<void> => {
  if (postgres === null) return;
  await makeTables(pool);
  await createVaultTables(pool);
  const tables = Object.keys(postgres.rows);
  await loadTables(pool, { directory: postgresIn(from), tables, sequences: postgres.sequences });
};

/** The log, and in the tables its positions: a log that was exported, or goes to a server, gets others. */
const putLog = async (pool: Pool | undefined, { options, manifest, to }: Restore): Promise<void> => {
  const { from: backup, data } = options;
  const positions = pool === undefined ? { checkpoints: [], positions: [] } : await positionsIn(pool);
  const temporary = join(data, 'eventstore-passing');
  const copied = await restoreLog({ backup, to: to.log, kind: manifest.log.kind, temporary, positions });
  if (pool !== undefined && copied !== undefined)
    await transaction(pool, (client) => carryOver(client, positions, copied));
  await recordTokenNotBefore(to.log);
};

const withDatabase = async (restore: Restore, work: (pool: Pool | undefined) => Promise<void>): Promise<void> => {
  const { options, manifest, forgotten, to } = restore;
  if (manifest.postgres === null) return work(undefined);
  const server = await openPostgresIn(options.data, to.settings);
  const pool = openPool({ url: server.url, connections: 1, durable: true });
  try {
    options.report('vault and processes');
    await putTables(pool, restore);
    await eraseKeysAgain(server.url, forgotten);
    await work(pool);
  } finally {
    await pool.end();
    await server.stop();
  }
};

const put = async (restore: Restore): Promise<void> => {
  const { options, manifest, keysFrom, to } = restore;
  options.report('keys');
  placeKeys(keysFrom, { ...to, logDirectory: join(options.data, 'eventstore') });
  await withDatabase(restore, async (pool) => {
    options.report('blobs');
    await restoreBlobs(options.from, to, manifest.blobs);
    options.report('repositories');
    await restoreRepositories(options.from, to.repositoriesDirectory);
    options.report('log');
    await putLog(pool, restore);
  });
};

/** Programs that were fetched may be there already. */
const besides = ['launcher.lock', 'lost+found', 'tools'];

const isEmpty = (data: string): boolean =>
  !existsSync(data) || readdirSync(data).every((name) => besides.includes(name));

const empty = (data: string): void => {
  for (const name of readdirSync(data))
    if (!besides.includes(name) && name !== restoringFile) rmSync(join(data, name), { recursive: true, force: true });
};

/** Nothing starts on a directory that is marked, so one that was only half filled is never taken for a whole one. */
const marked = async (data: string, work: () => Promise<void>): Promise<void> => {
  const mark = join(data, restoringFile);
  writeDurably(mark, `${process.pid}\n`);
  syncPath(data);
  try {
    await work();
  } catch (error) {
    empty(data);
    rmSync(mark);
    throw error;
  }
  syncPath(data);
  rmSync(mark);
  syncPath(data);
};

export const restoreBackup = async (request: RestoreOptions): Promise<Manifest> => {
  const options = { ...request, from: resolve(request.from), data: resolve(request.data) };
  const { data } = options;
  if (!isEmpty(data)) throw new OperatorError(`${data} is in use: a backup is restored into an empty directory only.`);
  const restore = await checkRestore(options);
  const lock = lockDirectory(ownDirectory(data), 'launcher');
  if (isLeft(lock)) throw new OperatorError(`${data} is in use by ${describeProcess(lock.left)}.`);
  try {
    // Checked again under the lock: another process may have filled the directory meanwhile.
    if (!isEmpty(data))
      throw new OperatorError(`${data} is in use: a backup is restored into an empty directory only.`);
    await marked(data, () => put(restore));
    return restore.manifest;
  } finally {
    lock.right.release();
  }
};
