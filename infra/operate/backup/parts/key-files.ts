/** Secrets, signing keys and the vault's master keys: small files, for their owner only. */
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isLeft } from 'fp-ts/Either';
import { syncPath, writeDurably } from '../../../../packages/data-directory/src/files';
import { type MasterKey, MasterKeyText } from '../../../adapters/kms/master-key';
import { masterFilesIn, readMasterFile } from '../../../adapters/vault/local-key-wrapping';
import { OperatorError } from '../../launch/operator-error';
import type { Installation } from '../installation';

/** Of the event store's administrator, made at its first start. */
const firstPasswords = 'first-passwords.json';

const copyOwn = (from: string, to: string): void => {
  copyFileSync(from, to);
  chmodSync(to, 0o600);
  syncPath(to);
};

export const ownDirectory = (path: string): string => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  return path;
};

/** Complete files only; the administrator's passwords are copied separately. */
const isBackedUp = (path: string, name: string): boolean =>
  statSync(path).isFile() && !name.endsWith('.new') && name !== firstPasswords;

const copyDirectory = (from: string, to: string): void => {
  ownDirectory(to);
  for (const name of existsSync(from) ? readdirSync(from) : [])
    if (isBackedUp(join(from, name), name)) copyOwn(join(from, name), join(to, name));
  syncPath(to);
};

/** Where each lies in a backup, and in a data directory that is handed over as keys. */
const secretsIn = (directory: string): string => join(directory, 'secrets');
const keysIn = (directory: string): string => join(directory, 'keys');

export const copyKeys = (from: Installation, out: string): void => {
  copyDirectory(from.secretsDirectory, secretsIn(out));
  copyDirectory(from.keysDirectory, keysIn(out));
  const passwords = join(from.data, 'eventstore', firstPasswords);
  if (existsSync(passwords)) copyOwn(passwords, join(secretsIn(out), firstPasswords));
  const masterFile = join(secretsIn(out), 'master-key');
  const masterKey = from.settings.MASTER_KEY;
  if (masterKey !== undefined && !existsSync(masterFile)) writeDurably(masterFile, masterKey.toString('base64url'));
};

export interface KeyPlaces {
  readonly secretsDirectory: string;
  readonly keysDirectory: string;
  /** Of the event store. */
  readonly logDirectory: string;
}

export const placeKeys = (from: string, { secretsDirectory, keysDirectory, logDirectory }: KeyPlaces): void => {
  copyDirectory(secretsIn(from), secretsDirectory);
  copyDirectory(keysIn(from), keysDirectory);
  const passwords = join(secretsIn(from), firstPasswords);
  if (existsSync(passwords)) copyOwn(passwords, join(ownDirectory(logDirectory), firstPasswords));
};

/** Called before anything is changed: existing keys belong to another installation. */
export const requireNoKeys = ({ keysDirectory }: Pick<KeyPlaces, 'keysDirectory'>): void => {
  if (existsSync(keysDirectory) && readdirSync(keysDirectory).length > 0)
    throw new OperatorError(`${keysDirectory} is in use: there are keys in it. Nothing is overwritten.`);
};

/** Refuses a directory without keys. */
export const requireKeys = (directory: string): void => {
  if (!existsSync(keysIn(directory)) || !existsSync(join(secretsIn(directory), 'master-key')))
    throw new OperatorError(`${directory} has no keys: keys/ or secrets/master-key is missing.`);
};

const masterKeyOf = (directory: string): MasterKey => {
  const found = MasterKeyText.decode(readFileSync(join(secretsIn(directory), 'master-key'), 'utf8').trim());
  if (isLeft(found)) throw new OperatorError(`${join(secretsIn(directory), 'master-key')} is not a master key.`);
  return found.right;
};

/** The services' master key has to decrypt the restored keys. */
export const requireSameMasterKey = (directory: string, masterKey: MasterKey | undefined): void => {
  if (masterKey !== undefined && !masterKey.equals(masterKeyOf(directory)))
    throw new OperatorError(`MASTER_KEY is another one than that in ${secretsIn(directory)}.`);
};

/** Fails early when a master key is missing: without it, the keys that it wrapped are lost. */
export const checkMasters = (directory: string, wanted: readonly string[]): void => {
  const store = { directory: keysIn(directory), masterKey: masterKeyOf(directory) };
  const masters = masterFilesIn(store.directory).map((name) => readMasterFile(store, name));
  const [broken] = masters.flatMap((master) => (isLeft(master) ? [master.left.detail] : []));
  if (broken !== undefined) throw new OperatorError(broken);
  const there = masters.flatMap((master) => (isLeft(master) ? [] : [master.right.id]));
  const missing = wanted.filter((id) => !there.includes(id));
  if (missing.length > 0)
    throw new OperatorError(
      `The vault's keys are wrapped by ${missing.join(', ')}, which is not in ${store.directory}.`,
    );
};
