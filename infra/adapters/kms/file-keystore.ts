/** Keystore directory: one file per private key, wrapped by the master key. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Kms, KmsFault, PublicJwk } from '../../ports/kms';
import { readDerivationRoot } from './derivation-root';
import { nameShape, noSuchKey, unavailable } from './faults';
import { createKeyFile, type Keystore, keyFilesIn, removeKeyFile } from './keystore-files';
import { deriveSecret, unwrap, wrap } from './master-key';
import { exportPrivate, importPrivate, newSigningKey, type SigningKey, signWith } from './signing-key';

const KeyFile = t.strict(
  { version: t.literal(1), kid: t.string, iv: t.string, ciphertext: t.string, tag: t.string },
  'KeyFile',
);

/** Older files have numbers. */
const fileName = /^signing-key-[A-Za-z0-9_-]{1,64}\.json$/;
const fileNameOf = (name: string): string => `signing-key-${name}.json`;

const readKeyFile = ({ directory, masterKey }: Keystore, name: string): Either<KmsFault, SigningKey> => {
  try {
    const file: unknown = JSON.parse(readFileSync(join(directory, name), 'utf8'));
    if (!KeyFile.is(file)) return left(unavailable(`The key file ${name} has another form.`));
    const key = importPrivate(unwrap(masterKey, file.kid, file));
    return key?.jwk.kid === file.kid ? right(key) : left(unavailable(`The key file ${name} has another key.`));
  } catch {
    // The thrown message may quote the file; there are two possible reasons.
    return left(unavailable(`The key file ${name} is damaged or was wrapped by another master key.`));
  }
};

type Keys = ReadonlyMap<string, SigningKey>;

/** Cache by file name: files never change. */
const createKeyCache = (store: Keystore) => {
  let keys: Keys = new Map();
  /** Skips an unreadable file, so that the other keys stay usable. */
  const load = (): KmsFault | undefined => {
    const found = new Map<string, SigningKey>();
    let fault: KmsFault | undefined;
    for (const file of keyFilesIn(store.directory, fileName)) {
      const cached = keys.get(file);
      const key = cached === undefined ? readKeyFile(store, file) : right(cached);
      if (isLeft(key)) fault ??= key.left;
      else found.set(file, key.right);
    }
    keys = found;
    return fault;
  };
  const find = (kid: string): readonly [string, SigningKey] | undefined =>
    [...keys].find(([, { jwk }]) => jwk.kid === kid);
  /** Another process may just have created it. */
  const look = (kid: string): ReturnType<typeof find> => {
    if (find(kid) === undefined) load();
    return find(kid);
  };
  return { all: () => [...keys.values()], load, look, at: (file: string) => keys.get(file) };
};

type KeyCache = ReturnType<typeof createKeyCache>;

/** Of several processes that create the same key, one succeeds and all use its key. */
const createKey = (
  { directory, masterKey }: Keystore,
  files: KeyCache,
  { key, name }: { readonly key: SigningKey; readonly name: string },
): Either<KmsFault, PublicJwk> => {
  const { kid } = key.jwk;
  const content = { version: 1, kid, ...wrap(masterKey, kid, exportPrivate(key)) };
  if (files.at(fileNameOf(name)) === undefined) createKeyFile(directory, { id: kid, name: fileNameOf(name), content });
  const fault = files.load();
  const made = files.at(fileNameOf(name));
  return made === undefined ? left(fault ?? unavailable('The key that was made is gone.')) : right(made.jwk);
};

const catchFileErrors = <A>(work: () => Either<KmsFault, A>): Either<KmsFault, A> => {
  try {
    return work();
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return left(unavailable(`The keystore cannot be read or written (${code}).`));
  }
};

const listKeys = (files: KeyCache): Either<KmsFault, readonly PublicJwk[]> => {
  const fault = files.load();
  return fault === undefined ? right(files.all().map(({ jwk }) => jwk)) : left(fault);
};

const signBytes = (files: KeyCache, kid: string, bytes: Uint8Array): Either<KmsFault, Uint8Array> => {
  const [, key] = files.look(kid) ?? [];
  return key === undefined ? noSuchKey() : right(signWith(key, bytes));
};

const destroyKey = ({ directory }: Keystore, files: KeyCache, kid: string): Either<KmsFault, void> => {
  const [file] = files.look(kid) ?? [];
  if (file !== undefined) removeKeyFile(directory, file);
  files.load();
  return right(undefined);
};

/** Fails on an unreadable file: it may contain the active key. */
export const openFileKeystore = (store: Keystore): Either<KmsFault, Kms> => {
  const files = createKeyCache(store);
  const whole = catchFileErrors(() => listKeys(files));
  if (isLeft(whole)) return whole;
  const root = readDerivationRoot(store);
  if (isLeft(root)) return root;
  return right({
    keystore: 'local',
    create: async ({ algorithm, name }) => {
      if (!nameShape.test(name)) return left(unavailable('A key cannot have this name.'));
      const key = await newSigningKey(algorithm);
      return catchFileErrors(() => createKey(store, files, { key, name }));
    },
    list: async () => catchFileErrors(() => listKeys(files)),
    sign: async (kid, bytes) => catchFileErrors(() => signBytes(files, kid, bytes)),
    derive: async (label) => right(deriveSecret(root.right, label)),
    destroy: async (kid) => catchFileErrors(() => destroyKey(store, files, kid)),
  });
};
