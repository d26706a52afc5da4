/**
 * Backs up a running installation. The order makes the parts consistent: the state of processes, then the log, then the vault, blobs,
 * repositories and keys. So no derived state is ahead of the log, and everything that the log refers to is in the backup, which is checked last.
 */
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Pool } from 'pg';
import { syncPath, writeDurably } from '../../../packages/data-directory/src/files';
import { openPool } from '../../adapters/postgres/pool';
import { OperatorError } from '../launch/operator-error';
import { type Manifest, manifestFile, manifestText } from './backup-manifest';
import { filesUnder, writeSums } from './checksums';
import type { Installation } from './installation';
import { copyBlobs } from './parts/blobs';
import { erasedKeysFile, listErasedKeys, writeErasedKeys } from './parts/erased-keys';
import { copyLog } from './parts/event-log';
import { checkMasters, copyKeys, ownDirectory } from './parts/key-files';
import { requireOutsideReferences } from './parts/outside-references';
import { dumpTables, type RowCounts, sequenceValues } from './parts/postgres-dump';
import { processTables, vaultTables } from './parts/postgres-tables';
import { copyRepositories } from './parts/repositories';
import { mastersIn } from './parts/vault-dump';

export interface BackupOptions {
  readonly out: string;
  readonly withoutKeys: boolean;
  readonly withoutBlobs: boolean;
  readonly report: (step: string) => void;
}

const postgresIn = (out: string): string => join(out, 'postgres');

const dumpVault = async (pool: Pool | undefined, out: string) => {
  if (pool === undefined) return undefined;
  const rows = await dumpTables(pool, vaultTables, postgresIn(out));
  return { rows, sequences: await sequenceValues(pool) };
};

const postgresPart = (
  processes: RowCounts | undefined,
  vault: Awaited<ReturnType<typeof dumpVault>>,
): Manifest['postgres'] =>
  vault === undefined ? null : { rows: { ...processes, ...vault.rows }, sequences: vault.sequences };

const parts = async (from: Installation, pool: Pool | undefined, options: BackupOptions) => {
  const { out, report } = options;
  report('processes');
  const processes = pool && (await dumpTables(pool, processTables, ownDirectory(postgresIn(out))));
  report('log');
  const log = await copyLog(from.log, out);
  report('vault');
  const postgres = postgresPart(processes, await dumpVault(pool, out));
  writeErasedKeys(join(out, erasedKeysFile), await listErasedKeys(from.postgresUrl));
  report('blobs');
  const blobs = await copyBlobs(from, out, options.withoutBlobs);
  if (blobs.kind === 'none') report(`no blobs: S3_BUCKET is not set, and there are none in ${from.blobsDirectory}`);
  report('repositories');
  const repositories = await copyRepositories(from.repositoriesDirectory, out);
  const keys = !options.withoutKeys;
  if (keys) {
    report('keys');
    copyKeys(from, out);
    // A rotation that came in between, with the earlier key destroyed, would make the dump worthless.
    checkMasters(out, await mastersIn(postgresIn(out)));
  }
  const found = { log, postgres, blobs, repositories, keys };
  report('completeness');
  await requireOutsideReferences({ from, out, pool, parts: found });
  return found;
};

const flushDirectories = async (directory: string): Promise<void> => {
  const directories = new Set([directory]);
  for await (const path of filesUnder(directory)) directories.add(dirname(path));
  for (const path of directories) syncPath(path);
};

const fill = async (from: Installation, options: BackupOptions): Promise<Manifest> => {
  const { out, report } = options;
  const madeAt = new Date().toISOString();
  const pool = from.postgresUrl === undefined ? undefined : openPool({ url: from.postgresUrl, connections: 2 });
  let found: Awaited<ReturnType<typeof parts>>;
  try {
    found = await parts(from, pool, options);
  } finally {
    await pool?.end();
  }
  report('checksums');
  const { sha256: sums, files } = await writeSums(out);
  const manifest: Manifest = { format: 'septet-backup', version: 1, madeAt, ...found, files, sums };
  writeDurably(join(out, manifestFile), manifestText(manifest));
  await flushDirectories(out);
  return manifest;
};

/** Name of the directory of an unfinished backup. */
export const partialOf = (out: string): string => `${resolve(out)}.partial-${process.pid}`;

/** Made under another name: what has its name is whole. */
export const createBackup = async (from: Installation, options: BackupOptions): Promise<Manifest> => {
  const out = resolve(options.out);
  if (existsSync(out)) throw new OperatorError(`${out} is there already: a backup overwrites nothing.`);
  const partial = partialOf(out);
  try {
    mkdirSync(partial, { recursive: true, mode: 0o700 });
    const manifest = await fill(from, { ...options, out: partial });
    renameSync(partial, out);
    syncPath(dirname(out));
    return manifest;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
};
