/** Key wrapping with master keys that are files of the keystore directory, wrapped by the process's master key. */
import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { VaultFault, Wrapping } from '../../ports/vault';
import { createKeyFile, type Keystore, keyFilesIn, removeKeyFile } from '../kms/keystore-files';
import { type MasterKey, unwrap, type Wrapped, wrap } from '../kms/master-key';
import { unavailable } from './faults';

export interface Master {
  readonly id: string;
  readonly key: MasterKey;
  readonly file: string;
}

const MasterFile = t.strict(
  { version: t.literal(1), id: t.string, iv: t.string, ciphertext: t.string, tag: t.string },
  'MasterFile',
);
const masterFileName = /^vault-key-(\d{6})\.json$/;
const masterWrappingNameOf = (id: string): string => `vault-key:${id}`;

export const masterFilesIn = (directory: string): readonly string[] => keyFilesIn(directory, masterFileName);

export const readMasterFile = ({ directory, masterKey }: Keystore, file: string): Either<VaultFault, Master> => {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(directory, file), 'utf8'));
    if (!MasterFile.is(parsed)) return left(unavailable(`The key file ${file} has another form.`));
    return right({ id: parsed.id, key: unwrap(masterKey, masterWrappingNameOf(parsed.id), parsed), file });
  } catch {
    // The thrown message may quote the file.
    return left(unavailable(`The key file ${file} is damaged or was wrapped by another master key.`));
  }
};

/** Returns the file name, possibly of a concurrent writer. */
const writeMasterFile = ({ directory, masterKey }: Keystore, number: number): string => {
  const id = randomUUID();
  const name = `vault-key-${String(number).padStart(6, '0')}.json`;
  const content = { version: 1, id, ...wrap(masterKey, masterWrappingNameOf(id), randomBytes(32)) };
  createKeyFile(directory, { id, name, content });
  return name;
};

const masterNumberOf = (name: string): number => Number(masterFileName.exec(name)?.[1] ?? 0);

const newestMasterFileIn = (directory: string): string | undefined => masterFilesIn(directory).at(-1);

const nextMasterNumber = (directory: string): number => masterNumberOf(newestMasterFileIn(directory) ?? '') + 1;

const removeMasterFile = ({ directory }: Keystore, { file }: Master): void => removeKeyFile(directory, file);

const catchFileErrors = <A>(work: () => Either<VaultFault, A>): Promise<Either<VaultFault, A>> => {
  try {
    return Promise.resolve(work());
  } catch (error) {
    const { code = 'unknown error' } = error as NodeJS.ErrnoException;
    return Promise.resolve(left(unavailable(`The keystore cannot be read or written (${code}).`)));
  }
};

/** Cache of master keys: files never change, and a rotation adds one. */
const createMasterCache = (store: Keystore) => {
  const masters = new Map<string, Master>();
  /** Skips an unreadable file, so that the other keys stay usable. */
  const load = (): VaultFault | undefined => {
    const files = new Set([...masters.values()].map(({ file }) => file));
    let fault: VaultFault | undefined;
    for (const file of masterFilesIn(store.directory)) {
      const master = files.has(file) ? undefined : readMasterFile(store, file);
      if (master === undefined) continue;
      if (isLeft(master)) fault ??= master.left;
      else masters.set(master.right.id, master.right);
    }
    return fault;
  };
  const find = (id: string): Either<VaultFault, Master> => {
    const fault = masters.has(id) ? undefined : load();
    const master = masters.get(id);
    if (master !== undefined) return right(master);
    return left(fault ?? unavailable(`The keystore lacks the vault's master key ${id}.`));
  };
  return { known: masters, find, load };
};

const encodeWrapped = ({ iv, ciphertext, tag }: Wrapped): string => `${iv}.${ciphertext}.${tag}`;
const decodeWrapped = (text: string): Wrapped => {
  const [iv = '', ciphertext = '', tag = ''] = text.split('.');
  return { iv, ciphertext, tag };
};

const unwrapKey = ({ key }: Master, name: string, wrapped: string): Either<VaultFault, Buffer> => {
  try {
    return right(unwrap(key, name, decodeWrapped(wrapped)));
  } catch {
    return left(unavailable('A key in the vault was changed, or belongs to another subject.'));
  }
};

export const openLocalWrapping = (store: Keystore): Wrapping => {
  const { known: masters, find, load } = createMasterCache(store);
  const isWhole = (): boolean => load() === undefined;
  const idIn = (file: string): Either<VaultFault, string> => {
    const master = readMasterFile(store, file);
    return isLeft(master) ? master : right(master.right.id);
  };
  const withMaster = <A>(id: string, use: (master: Master) => Either<VaultFault, A>) =>
    catchFileErrors(() => {
      const master = find(id);
      return isLeft(master) ? master : use(master.right);
    });
  return {
    newest: () => catchFileErrors(() => idIn(newestMasterFileIn(store.directory) ?? writeMasterFile(store, 1))),
    make: () => catchFileErrors(() => idIn(writeMasterFile(store, nextMasterNumber(store.directory)))),
    wrap: (id, name, plain) => withMaster(id, ({ key }) => right(encodeWrapped(wrap(key, name, plain)))),
    unwrap: (id, name, wrapped) => withMaster(id, (master) => unwrapKey(master, name, wrapped)),
    destroy: (id) =>
      catchFileErrors(() => {
        const master = find(id);
        // Already removed, unless the directory is unreadable.
        if (isLeft(master)) return isWhole() ? right(undefined) : master;
        removeMasterFile(store, master.right);
        masters.delete(id);
        return right(undefined);
      }),
  };
};
