/** Whether a backup is whole, and fits where it is to go: all of it read, and nothing changed. */
import { join } from 'node:path';
import type { Environment } from '../../server/runtime/config';
import { OperatorError } from '../launch/operator-error';
import { type Manifest, readManifest } from './backup-manifest';
import { checkSums } from './checksums';
import { type LogPlace, placesIn, readSettings } from './installation';
import { requireEmptyBlobs } from './parts/blobs';
import { type ErasedKeys, readErasedKeys, refuseOther } from './parts/erased-keys';
import { requireEmptyLog } from './parts/event-log';
import { checkMasters, requireKeys, requireNoKeys, requireSameMasterKey } from './parts/key-files';
import { requireEmptyDatabase } from './parts/postgres-load';
import { requireEmptyRedis } from './parts/redis-preflight';
import { requireNoRepositories } from './parts/repositories';
import { mastersIn } from './parts/vault-dump';

export interface RestoreOptions {
  readonly from: string;
  readonly data: string;
  readonly env: Environment;
  /** Another directory with `secrets/` and `keys/`; undefined: the backup's own. */
  readonly keys: string | undefined;
  /** The newest list of erased keys; undefined: the operator states that no key was erased since the backup. */
  readonly forgotten: string | undefined;
  readonly report: (step: string) => void;
}

export interface Restore {
  readonly options: RestoreOptions;
  readonly manifest: Manifest;
  readonly keysFrom: string;
  readonly forgotten: ErasedKeys;
  readonly to: ReturnType<typeof placesIn> & { readonly log: LogPlace };
}

export const postgresIn = (backup: string): string => join(backup, 'postgres');

const targetOf = ({ data, env }: RestoreOptions): Restore['to'] => {
  const settings = readSettings(env);
  const url = settings.EVENTSTORE_URL;
  const log: LogPlace =
    url === undefined ? { kind: 'directory', path: join(data, 'eventstore') } : { kind: 'server', url };
  return { ...placesIn(data, settings), log };
};

const forgottenFor = ({ from, forgotten }: RestoreOptions): ErasedKeys => {
  const ofBackup = readErasedKeys(from);
  if (forgotten === undefined) return ofBackup;
  const newest = readErasedKeys(forgotten);
  refuseOther(newest, ofBackup);
  return newest;
};

export const checkRestore = async (options: RestoreOptions): Promise<Restore> => {
  const { from, report } = options;
  const manifest = readManifest(from);
  report('checking the backup');
  await checkSums(from, manifest.sums);
  if (!manifest.keys && options.keys === undefined)
    throw new OperatorError('The backup was made without keys: name their directory with --keys.');
  const keysFrom = options.keys ?? from;
  requireKeys(keysFrom);
  checkMasters(keysFrom, await mastersIn(postgresIn(from)));
  const to = targetOf(options);
  requireSameMasterKey(keysFrom, to.settings.MASTER_KEY);
  await requireEmptyLog(to.log);
  await requireEmptyBlobs(to, manifest.blobs);
  requireNoRepositories(to.repositoriesDirectory, from);
  const { POSTGRES_URL, REDIS_URL } = to.settings;
  if (POSTGRES_URL !== undefined) await requireEmptyDatabase(POSTGRES_URL);
  if (REDIS_URL !== undefined) await requireEmptyRedis(REDIS_URL);
  requireNoKeys(to);
  return { options, manifest, keysFrom, forgotten: forgottenFor(options), to };
};
