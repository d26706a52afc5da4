/** A keystore directory: private keys wrapped by the master key, one file each, numbered; the highest one is active. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fault } from '../../domain/kernel/rejection';
import type { Kms, KmsFault } from '../ports/kms';
import { keyring } from './keyring';
import { type MasterKey, unwrap, wrap } from './master-key';
import { exportPrivate, importPrivate, newSigningKey, type SigningKey } from './signing-key';

export interface Keystore {
  readonly directory: string;
  readonly masterKey: MasterKey;
}

const KeyFile = t.strict(
  { version: t.literal(1), kid: t.string, iv: t.string, ciphertext: t.string, tag: t.string },
  'KeyFile',
);

const fileName = /^signing-key-(\d{6})\.json$/;

const syncDirectory = (directory: string): void => {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

/** By hard link, which fails when the name is taken: of two starters one makes the key, and no file is seen half written. */
const writeFirst = ({ directory, masterKey }: Keystore): void => {
  const key = newSigningKey();
  const { kid } = key.jwk;
  const own = join(directory, `${kid}.new`);
  const written = { version: 1, kid, ...wrap(masterKey, kid, exportPrivate(key)) };
  writeFileSync(own, JSON.stringify(written), { mode: 0o600, flush: true, flag: 'wx' });
  try {
    linkSync(own, join(directory, 'signing-key-000001.json'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  syncDirectory(directory);
};

const unavailable = (detail: string): KmsFault => fault('signing-unavailable', detail);

const readKey = ({ directory, masterKey }: Keystore, name: string): Either<KmsFault, SigningKey> => {
  try {
    const file: unknown = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    if (!KeyFile.is(file)) return left(unavailable(`The key file ${name} has another form.`));
    const key = importPrivate(unwrap(masterKey, file.kid, file));
    return key?.jwk.kid === file.kid ? right(key) : left(unavailable(`The key file ${name} holds another key.`));
  } catch {
    // What was thrown may quote the file; why it failed is one of two things.
    return left(unavailable(`The key file ${name} is damaged or was wrapped by another master key.`));
  }
};

const namesIn = (directory: string): readonly string[] =>
  readdirSync(directory)
    .filter((name) => fileName.test(name))
    .sort();

const load = (store: Keystore): Either<KmsFault, Kms> => {
  const keys: SigningKey[] = [];
  for (const name of namesIn(store.directory)) {
    const key = readKey(store, name);
    if (key._tag === 'Left') return key;
    keys.push(key.right);
  }
  const active = keys.at(-1);
  if (active === undefined) return left(unavailable('The keystore holds no key.'));
  return right(keyring({ active, all: keys }, store.masterKey));
};

/** Makes the first key when there is none. */
export const openLocalKms = (store: Keystore): Either<KmsFault, Kms> => {
  try {
    mkdirSync(store.directory, { recursive: true, mode: 0o700 });
    if (namesIn(store.directory).length === 0) writeFirst(store);
    return load(store);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return left(unavailable(`The keystore cannot be read or written (${code}).`));
  }
};
