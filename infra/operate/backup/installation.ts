/** Where the parts of an installation are: what a running launcher brought up, what lies in its directory, or what URLs name. */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { lockDirectory } from '../../../packages/data-directory/src/index';
import { hasLog } from '../../../packages/eventstore-node/src/directory';
import { blobVariables } from '../../adapters/blobs/open-blob-store';
import { MasterKeyText } from '../../adapters/kms/master-key';
import { anyText, type ConfigOf, type Environment, loadConfig, optional, variables } from '../../server/runtime/config';
import { withConnectionFile } from '../launch/connection-file';
import { OperatorError } from '../launch/operator-error';
import { startPostgres } from '../launch/servers/postgres/postgres';
import { keysDirectory } from '../launch/service-environment';

/** What a backup and a restore read of the environment, beside `DATA_DIR`. */
export const installationVariables = {
  ...blobVariables,
  /** Default: beside the data. */
  BLOBS_DIR: optional(anyText),
  EVENTSTORE_URL: optional(variables.EVENTSTORE_URL),
  POSTGRES_URL: optional(variables.POSTGRES_URL),
  REDIS_URL: optional(variables.REDIS_URL),
  /** Default: beside the data. */
  REPOSITORIES_DIR: optional(anyText),
  KEYS_DIR: optional(anyText),
  MASTER_KEY: optional(MasterKeyText),
};
export type Settings = ConfigOf<typeof installationVariables>;

export type LogPlace =
  | { readonly kind: 'directory'; readonly path: string }
  | { readonly kind: 'server'; readonly url: string };

export interface Installation {
  readonly data: string;
  readonly settings: Settings;
  readonly log: LogPlace;
  readonly postgresUrl: string | undefined;
  readonly blobsDirectory: string;
  readonly repositoriesDirectory: string;
  readonly secretsDirectory: string;
  readonly keysDirectory: string;
  readonly close: () => Promise<void>;
}

export const readSettings = (env: Environment): Settings => {
  const loaded = loadConfig(installationVariables, env);
  if (isLeft(loaded)) throw new OperatorError(`Not set or not usable: ${JSON.stringify(loaded.left)}`);
  return loaded.right;
};

const sameFile = (one: string, other: string): boolean => {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
};

/** The launcher's own node has a certificate of the installation's authority; any other server is external. */
const isOwn = (data: string, url: string): boolean => {
  const authority = URL.canParse(url) ? new URL(url).searchParams.get('tlsCAFile') : null;
  return authority !== null && sameFile(authority, join(data, 'eventstore-certs', 'ca.crt'));
};

const logOf = (data: string, { EVENTSTORE_URL: url }: Settings): LogPlace => {
  const path = join(data, 'eventstore');
  if (url !== undefined && !isOwn(data, url)) return { kind: 'server', url };
  if (!hasLog(path)) throw new OperatorError(`There is no event log in ${path}, and EVENTSTORE_URL is not set.`);
  return { kind: 'directory', path };
};

type Close = () => Promise<void>;

const localPostgres = async (data: string): Promise<{ readonly url: string; readonly stop: Close }> => {
  const progress = (): void => undefined;
  const server = await startPostgres({ directory: join(data, 'postgres'), tools: join(data, 'tools'), progress });
  if (isLeft(server)) throw new OperatorError(`Postgres cannot be started on ${data}: ${server.left.detail}`);
  return server.right;
};

export const placesIn = (data: string, settings: Settings) => ({
  data,
  settings,
  blobsDirectory: settings.BLOBS_DIR ?? join(data, 'blobs'),
  repositoriesDirectory: settings.REPOSITORIES_DIR ?? join(data, 'repositories'),
  secretsDirectory: join(data, 'secrets'),
  keysDirectory: settings.KEYS_DIR ?? keysDirectory(data),
});

/** Locks the directory against a start meanwhile. An installation with external stores only has no directory to lock. */
const openStopped = async (data: string, env: Environment, release: () => void): Promise<Installation> => {
  const settings = readSettings(env);
  const log = logOf(data, settings);
  if (settings.POSTGRES_URL !== undefined || !existsSync(join(data, 'postgres')))
    return { ...placesIn(data, settings), log, postgresUrl: settings.POSTGRES_URL, close: async () => release() };
  const postgres = await localPostgres(data);
  const close = async (): Promise<void> => {
    await postgres.stop();
    release();
  };
  return { ...placesIn(data, settings), log, postgresUrl: postgres.url, close };
};

const openRunning = (data: string, environment: Environment): Installation => {
  const env = withConnectionFile({ ...environment, DATA_DIR: data });
  if (!existsSync(join(data, 'run.json'))) throw new OperatorError('Septet is still starting: try again.');
  const settings = readSettings(env);
  const close = (): Promise<void> => Promise.resolve();
  return { ...placesIn(data, settings), log: logOf(data, settings), postgresUrl: settings.POSTGRES_URL, close };
};

/** Opens a running installation, a stopped one, or one whose stores are all elsewhere. */
export const openInstallation = async (data: string, env: Environment): Promise<Installation> => {
  if (!existsSync(data)) return openStopped(data, env, () => undefined);
  const lock = lockDirectory(data, 'launcher');
  if (isLeft(lock)) return openRunning(data, env);
  try {
    return await openStopped(data, env, lock.right.release);
  } catch (error) {
    lock.right.release();
    throw error;
  }
};

/** The database to restore into: the configured one, or a server started in the directory. */
export const openPostgresIn = async (
  data: string,
  { POSTGRES_URL: url }: Settings,
): Promise<{ readonly url: string; readonly stop: Close }> =>
  url === undefined ? localPostgres(data) : { url, stop: () => Promise.resolve() };
