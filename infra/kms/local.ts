/** A keystore directory: private keys wrapped by the master key, one file each, numbered; the highest one is active. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { fault } from '../../domain/kernel/rejection';
import type { Kms, KmsFault } from '../ports/kms';
import { type Keystore, keyFilesIn, placeKeyFile } from './key-files';
import { keyring } from './keyring';
import { unwrap, wrap } from './master-key';
import { exportPrivate, importPrivate, newSigningKey, type SigningKey } from './signing-key';

const KeyFile = t.strict(
  { version: t.literal(1), kid: t.string, iv: t.string, ciphertext: t.string, tag: t.string },
  'KeyFile',
);

const fileName = /^signing-key-(\d{6})\.json$/;

/** Of two starters one makes the key. */
const writeFirst = ({ directory, masterKey }: Keystore): void => {
  const key = newSigningKey();
  const { kid } = key.jwk;
  const content = { version: 1, kid, ...wrap(masterKey, kid, exportPrivate(key)) };
  placeKeyFile(directory, { id: kid, name: 'signing-key-000001.json', content });
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

const load = (store: Keystore): Either<KmsFault, Kms> => {
  const keys: SigningKey[] = [];
  for (const name of keyFilesIn(store.directory, fileName)) {
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
    if (keyFilesIn(store.directory, fileName).length === 0) writeFirst(store);
    return load(store);
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return left(unavailable(`The keystore cannot be read or written (${code}).`));
  }
};
