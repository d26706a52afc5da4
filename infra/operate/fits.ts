/** Whether a backup is whole, and fits where it is to go: all of it read, and nothing changed. */
import { join } from 'node:path';
import type { Environment } from '../config';
import { Stop } from '../launch/stop';
import { refuseBlobs } from './blobs';
import { type Forgotten, readForgotten, refuseOther } from './forgotten';
import { type LogPlace, placesIn, readSettings } from './installation';
import { checkMasters, refuseKeys, refuseNoKeys, refuseOtherMasterKey } from './keys';
import { refuseRows } from './load';
import { refuseLog } from './log';
import { type Manifest, readManifest } from './manifest';
import { refuseRedis } from './redis';
import { checkSums } from './sums';
import { mastersIn } from './vault-dump';

export interface RestoreOptions {
  readonly from: string;
  readonly data: string;
  readonly env: Environment;
  /** Another directory with `secrets/` and `keys/`; undefined: those of the backup. */
  readonly keys: string | undefined;
  /** The newest list; undefined: nobody was forgotten since, as the person who asks says. */
  readonly forgotten: string | undefined;
  readonly say: (step: string) => void;
}

export interface Restore {
  readonly options: RestoreOptions;
  readonly manifest: Manifest;
  readonly keysFrom: string;
  readonly forgotten: Forgotten;
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

const forgottenFor = ({ from, forgotten }: RestoreOptions): Forgotten => {
  const ofBackup = readForgotten(from);
  if (forgotten === undefined) return ofBackup;
  const newest = readForgotten(forgotten);
  refuseOther(newest, ofBackup);
  return newest;
};

export const check = async (options: RestoreOptions): Promise<Restore> => {
  const { from, say } = options;
  const manifest = readManifest(from);
  say('checking the backup');
  await checkSums(from, manifest.sums);
  if (!manifest.keys && options.keys === undefined)
    throw new Stop('The backup was made without keys: say with --keys where they are.');
  const keysFrom = options.keys ?? from;
  refuseNoKeys(keysFrom);
  checkMasters(keysFrom, await mastersIn(postgresIn(from)));
  const to = targetOf(options);
  refuseOtherMasterKey(keysFrom, to.settings.MASTER_KEY);
  await refuseLog(to.log, manifest.log);
  await refuseBlobs(to, manifest.blobs);
  const { POSTGRES_URL, REDIS_URL } = to.settings;
  if (POSTGRES_URL !== undefined) await refuseRows(POSTGRES_URL);
  if (REDIS_URL !== undefined) await refuseRedis(REDIS_URL);
  refuseKeys(to);
  return { options, manifest, keysFrom, forgotten: forgottenFor(options), to };
};
