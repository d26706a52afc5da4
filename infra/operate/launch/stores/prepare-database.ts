/** Migrates Postgres before anything uses it, or where it does not answer yet, as soon as it does. Adds the address for reading. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isLeft } from 'fp-ts/Either';
import { type MigrateOptions, migrate, readerUrl } from '../../../adapters/postgres/migrate';
import type { Log } from '../../../ports/runtime/log';
import { readSecret, type SecretFiles } from '../secret-files';
import { step } from '../terminal-output';
import type { StartedStore } from './started-store';

type Stores = Readonly<Record<string, string>>;

interface DatabaseOptions {
  readonly log: Log;
  readonly parts: readonly StartedStore[];
  readonly secrets: SecretFiles;
}

interface PreparedDatabase {
  readonly stores: Stores;
  readonly stop: () => void;
}

const firstPauseMilliseconds = 500;
const longestPauseMilliseconds = 10_000;

/** Services start meanwhile, and refuse what needs Postgres. The answer gives it up, and does not wait for an attempt under way. */
const migrateLater = (options: MigrateOptions, log: Log): (() => void) => {
  let stopping = false;
  const isStopping = (): boolean => stopping;
  const attempt = async (): Promise<void> => {
    for (let count = 0; ; count += 1) {
      const milliseconds = Math.min(firstPauseMilliseconds * 2 ** count, longestPauseMilliseconds);
      await sleep(milliseconds, undefined, { ref: false });
      if (isStopping()) return;
      const migrated = await migrate(options);
      if (!isLeft(migrated)) return step('postgres', 'its tables are ready');
      if (migrated.left.code === 'view-refused')
        return log.error({ detail: migrated.left.detail }, 'Postgres is refused');
      log.warn({ detail: migrated.left.detail }, 'Postgres cannot be prepared yet; it is tried again');
    }
  };
  attempt().catch((error: unknown) => log.error({ error }, 'Postgres cannot be prepared'));
  return () => {
    stopping = true;
  };
};

export const prepareDatabase = async ({ log, parts, secrets }: DatabaseOptions): Promise<PreparedDatabase> => {
  const stores: Stores = Object.assign({}, ...parts.map(({ env }) => env));
  const url = stores.POSTGRES_URL;
  if (url === undefined) return { stores, stop: () => undefined };
  const options = { url, readerPassword: readSecret(secrets, 'reader-password') };
  const reading = { ...stores, POSTGRES_READER_URL: process.env.POSTGRES_READER_URL ?? readerUrl(options) };
  const isLate = parts.some(({ env, ready }) => env.POSTGRES_URL !== undefined && ready !== undefined);
  const migrated = isLate ? undefined : await migrate(options);
  if (migrated !== undefined && !isLeft(migrated)) return { stores: reading, stop: () => undefined };
  if (migrated?.left.code === 'view-refused') throw new Error(migrated.left.detail);
  const reason = migrated === undefined ? 'it does not answer yet.' : migrated.left.detail;
  step('postgres', `its tables are made in the background, once it answers: ${reason}`);
  return { stores: reading, stop: migrateLater(options, log) };
};
