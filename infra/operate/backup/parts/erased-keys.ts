/**
 * People who were forgotten after a backup must stay forgotten after its restore. Every backup therefore lists the erased keys, the list
 * is also written by itself, and a restore reads the newest one. It contains key ids and no personal data.
 */
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import * as t from 'io-ts';
import { Client } from 'pg';
import { syncPath, writeDurably } from '../../../../packages/data-directory/src/files';
import { openPostgresKeyTable } from '../../../adapters/vault/postgres-key-table';
import { schema } from '../../../adapters/vault/postgres-schema';
import { OperatorError } from '../../launch/operator-error';

export const erasedKeysFile = 'forgotten.json';

const ErasedKeys = t.strict(
  {
    format: t.literal('septet-forgotten'),
    version: t.literal(1),
    madeAt: t.string,
    /** Ids of erased keys, in order. */
    keys: t.array(t.string),
  },
  'Forgotten',
);
export type ErasedKeys = t.TypeOf<typeof ErasedKeys>;

const erasedKeys = async (url: string): Promise<readonly string[]> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const there = await client.query<{ there: boolean }>('select to_regclass($1) is not null as there', [
      `${schema}.keys`,
    ]);
    if (there.rows[0]?.there !== true) return [];
    const text = `select id from ${schema}.keys where wrapped is null order by id collate "C"`;
    return (await client.query<{ id: string }>(text)).rows.map(({ id }) => id);
  } finally {
    await client.end();
  }
};

export const listErasedKeys = async (postgresUrl: string | undefined): Promise<ErasedKeys> => {
  const madeAt = new Date().toISOString();
  const keys = postgresUrl === undefined ? [] : [...(await erasedKeys(postgresUrl))];
  return { format: 'septet-forgotten', version: 1, madeAt, keys };
};

const textOf = (forgotten: ErasedKeys): string => `${JSON.stringify(forgotten, null, 2)}\n`;

export const writeErasedKeys = (path: string, forgotten: ErasedKeys): void => writeDurably(path, textOf(forgotten));

/** Replaces an earlier list atomically. */
export const replaceErasedKeys = (path: string, forgotten: ErasedKeys): void => {
  const own = `${resolve(path)}.new-${process.pid}`;
  try {
    writeErasedKeys(own, forgotten);
    renameSync(own, path);
    syncPath(dirname(resolve(path)));
  } finally {
    rmSync(own, { force: true });
  }
};

/** A list, or a backup that has one. */
export const readErasedKeys = (path: string): ErasedKeys => {
  const file = existsSync(path) && statSync(path).isDirectory() ? join(path, erasedKeysFile) : path;
  try {
    const found = ErasedKeys.decode(JSON.parse(readFileSync(file, 'utf8')));
    if (!isLeft(found)) return found.right;
  } catch {
    // An unreadable file is reported below, as a file that is no list.
  }
  throw new OperatorError(`${file} is not a list of forgotten subjects' keys.`);
};

/** Refuses a list that is older than the backup or of another installation: it lacks the erasures after the backup. */
export const refuseOther = (list: ErasedKeys, ofBackup: ErasedKeys): void => {
  const keys = new Set(list.keys);
  if (list.madeAt < ofBackup.madeAt || !ofBackup.keys.every((key) => keys.has(key)))
    throw new OperatorError('The list of forgotten subjects is older than the backup, or of another installation.');
};

const portion = 1_000;

export const eraseKeysAgain = async (postgresUrl: string, { keys }: ErasedKeys): Promise<void> => {
  const table = openPostgresKeyTable(postgresUrl);
  try {
    for (let from = 0; from < keys.length; from += portion) {
      const erased = await table.erase(keys.slice(from, from + portion));
      if (isLeft(erased)) throw new OperatorError(erased.left.detail);
    }
  } finally {
    await table.close();
  }
};
