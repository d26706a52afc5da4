/** A keystore directory: private keys wrapped by the master key, one file each under the key's name. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Kms, KmsFault, NewKey, PublicJwk } from '../ports/kms';
import { readDeriveRoot } from './derive-root';
import { nameShape, noSuchKey, unavailable } from './faults';
import { type Keystore, keyFilesIn, placeKeyFile, removeKeyFile } from './key-files';
import { deriveSecret, unwrap, wrap } from './master-key';
import { exportPrivate, importPrivate, newSigningKey, type SigningKey, signWith } from './signing-key';

const KeyFile = t.strict(
  { version: t.literal(1), kid: t.string, iv: t.string, ciphertext: t.string, tag: t.string },
  'KeyFile',
);

/** The first ones were numbered. */
const fileName = /^signing-key-[A-Za-z0-9_-]{1,64}\.json$/;
const fileOf = (name: string): string => `signing-key-${name}.json`;

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

type Keys = ReadonlyMap<string, SigningKey>;

/** By file. What was read stays read: files never change, they come and go. */
const openFiles = (store: Keystore) => {
  let keys: Keys = new Map();
  /** One file that cannot be read must not keep others from being used. */
  const load = (): KmsFault | undefined => {
    const found = new Map<string, SigningKey>();
    let fault: KmsFault | undefined;
    for (const file of keyFilesIn(store.directory, fileName)) {
      const known = keys.get(file);
      const key = known === undefined ? readKey(store, file) : right(known);
      if (isLeft(key)) fault ??= key.left;
      else found.set(file, key.right);
    }
    keys = found;
    return fault;
  };
  const find = (kid: string): readonly [string, SigningKey] | undefined =>
    [...keys].find(([, { jwk }]) => jwk.kid === kid);
  /** Another process may have made it a moment ago. */
  const look = (kid: string): ReturnType<typeof find> => {
    if (find(kid) === undefined) load();
    return find(kid);
  };
  return { all: () => [...keys.values()], load, look, at: (file: string) => keys.get(file) };
};

type Files = ReturnType<typeof openFiles>;

/** Of several that make a key of the same name one does; the others have it too. */
const make = (
  { directory, masterKey }: Keystore,
  files: Files,
  { algorithm, name }: NewKey,
): Either<KmsFault, PublicJwk> => {
  if (!nameShape.test(name)) return left(unavailable('A key cannot have this name.'));
  const key = newSigningKey(algorithm);
  const { kid } = key.jwk;
  const content = { version: 1, kid, ...wrap(masterKey, kid, exportPrivate(key)) };
  if (files.at(fileOf(name)) === undefined) placeKeyFile(directory, { id: kid, name: fileOf(name), content });
  const fault = files.load();
  const made = files.at(fileOf(name));
  return made === undefined ? left(fault ?? unavailable('The key that was made is gone.')) : right(made.jwk);
};

const attempted = <A>(work: () => Either<KmsFault, A>): Either<KmsFault, A> => {
  try {
    return work();
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return left(unavailable(`The keystore cannot be read or written (${code}).`));
  }
};

const listed = (files: Files): Either<KmsFault, readonly PublicJwk[]> => {
  const fault = files.load();
  return fault === undefined ? right(files.all().map(({ jwk }) => jwk)) : left(fault);
};

const signed = (files: Files, kid: string, bytes: Uint8Array): Either<KmsFault, Uint8Array> => {
  const [, key] = files.look(kid) ?? [];
  return key === undefined ? noSuchKey() : right(signWith(key, bytes));
};

const destroyed = ({ directory }: Keystore, files: Files, kid: string): Either<KmsFault, void> => {
  const [file] = files.look(kid) ?? [];
  if (file !== undefined) removeKeyFile(directory, file);
  files.load();
  return right(undefined);
};

/** Refuses a directory with a file in it that cannot be read: it may be the key that signs. */
export const openLocalKms = (store: Keystore): Either<KmsFault, Kms> => {
  const files = openFiles(store);
  const whole = attempted(() => listed(files));
  if (isLeft(whole)) return whole;
  const root = readDeriveRoot(store);
  if (isLeft(root)) return root;
  return right({
    keystore: 'local',
    create: async (wanted) => attempted(() => make(store, files, wanted)),
    list: async () => attempted(() => listed(files)),
    sign: async (kid, bytes) => attempted(() => signed(files, kid, bytes)),
    derive: async (label) => right(deriveSecret(root.right, label)),
    destroy: async (kid) => attempted(() => destroyed(store, files, kid)),
  });
};
