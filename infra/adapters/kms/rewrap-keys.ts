/** Rewraps all files of a keystore under a new master key; resumable. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { KmsFault } from '../../ports/kms';
import { saveDerivationRoot } from './derivation-root';
import { unavailable } from './faults';
import { type Keystore, keyFilesIn, replaceKeyFile, WrappedFile, wrappedFileName, wrappedName } from './keystore-files';
import { type MasterKey, unwrap, wrap } from './master-key';

interface UnwrappedFile {
  readonly file: WrappedFile;
  readonly name: string;
  readonly plain: Buffer;
  readonly isDone: boolean;
}

const tryUnwrap = (masterKey: MasterKey, name: string, file: WrappedFile): Buffer | undefined => {
  try {
    return unwrap(masterKey, name, file);
  } catch {
    return undefined;
  }
};

const readJson = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

const readWrappedFile = (
  { directory, masterKey }: Keystore,
  next: MasterKey,
  name: string,
): Either<KmsFault, UnwrappedFile> => {
  const file = readJson(join(directory, name));
  if (!WrappedFile.is(file)) return left(unavailable(`The key file ${name} has another form.`));
  const bound = wrappedName(name, file);
  const done = tryUnwrap(next, bound, file);
  const plain = done ?? tryUnwrap(masterKey, bound, file);
  if (plain === undefined) return left(unavailable(`The key file ${name} opens with neither master key.`));
  return right({ file, name, plain, isDone: done !== undefined });
};

/** Changes nothing unless every file is readable. Returns the number of rewrapped files. */
export const rewrapKeys = (store: Keystore, next: MasterKey): Either<KmsFault, number> => {
  const { directory } = store;
  const files: UnwrappedFile[] = [];
  for (const name of keyFilesIn(directory, wrappedFileName)) {
    const opened = readWrappedFile(store, next, name);
    if (isLeft(opened)) return opened;
    files.push(opened.right);
  }
  saveDerivationRoot(store, next);
  const open = files.filter(({ isDone }) => !isDone);
  for (const { file, name, plain } of open) {
    const content = { ...file, ...wrap(next, wrappedName(name, file), plain) };
    replaceKeyFile(directory, { id: name, name, content });
  }
  return right(open.length);
};
