/** Wrapped key files: written atomically, never overwritten. */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as t from 'io-ts';
import type { MasterKey } from './master-key';

export interface Keystore {
  readonly directory: string;
  readonly masterKey: MasterKey;
}

/** Sorted. Creates a missing directory. */
export const keyFilesIn = (directory: string, named: RegExp): readonly string[] => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  return readdirSync(directory)
    .filter((name) => named.test(name))
    .sort();
};

const syncDirectory = (directory: string): void => {
  const handle = openSync(directory, 'r');
  fsyncSync(handle);
  closeSync(handle);
};

export interface KeyFileContent {
  /** Unique. */
  readonly id: string;
  readonly name: string;
  readonly content: object;
}

/** By hard link, which fails if the name exists: of two concurrent writers one wins. */
export const createKeyFile = (directory: string, { id, name, content }: KeyFileContent): void => {
  const own = join(directory, `${id}.new`);
  writeFileSync(own, JSON.stringify(content), { mode: 0o600, flush: true, flag: 'wx' });
  try {
    linkSync(own, join(directory, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own, { force: true });
  }
  syncDirectory(directory);
};

/** Replaces atomically: readers see the old or the new file. */
export const replaceKeyFile = (directory: string, { id, name, content }: KeyFileContent): void => {
  const own = join(directory, `${id}.new`);
  writeFileSync(own, JSON.stringify(content), { mode: 0o600, flush: true });
  renameSync(own, join(directory, name));
  syncDirectory(directory);
};

export const removeKeyFile = (directory: string, name: string): void => {
  rmSync(join(directory, name), { force: true });
  syncDirectory(directory);
};

const wrapped = { version: t.literal(1), iv: t.string, ciphertext: t.string, tag: t.string };

/** Signing keys have a `kid`, other files an `id`. */
export const WrappedFile = t.intersection([t.type(wrapped), t.partial({ kid: t.string, id: t.string })], 'WrappedFile');
export type WrappedFile = t.TypeOf<typeof WrappedFile>;

export const wrappedFileName = /^(signing-key-[A-Za-z0-9_-]{1,64}|vault-key-\d{6}|derive-key)\.json$/;

export const wrappedName = (file: string, { kid, id }: WrappedFile): string =>
  file.startsWith('vault-key-') ? `vault-key:${id ?? ''}` : (kid ?? id ?? '');
