/** Another master key takes the place of this one: every file that it wraps is wrapped anew, also after it was cut off halfway. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';
import type { KmsFault } from '../ports/kms';
import { keepDeriveRoot } from './derive-root';
import { unavailable } from './faults';
import { type Keystore, keyFilesIn, replaceKeyFile } from './key-files';
import { type MasterKey, unwrap, wrap } from './master-key';
import { WrappedFile, wrappedFileName, wrappedName } from './wrapped-file';

interface Opened {
  readonly file: WrappedFile;
  readonly name: string;
  readonly plain: Buffer;
  readonly isDone: boolean;
}

const openedBy = (masterKey: MasterKey, name: string, file: WrappedFile): Buffer | undefined => {
  try {
    return unwrap(masterKey, name, file);
  } catch {
    return undefined;
  }
};

const parsed = (path: string): unknown => {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
};

const read = ({ directory, masterKey }: Keystore, next: MasterKey, name: string): Either<KmsFault, Opened> => {
  const file = parsed(join(directory, name));
  if (!WrappedFile.is(file)) return left(unavailable(`The key file ${name} has another form.`));
  const bound = wrappedName(name, file);
  const done = openedBy(next, bound, file);
  const plain = done ?? openedBy(masterKey, bound, file);
  if (plain === undefined) return left(unavailable(`The key file ${name} opens with neither master key.`));
  return right({ file, name, plain, isDone: done !== undefined });
};

/** Nothing is changed unless everything can be read. Answers how many files were wrapped anew. */
export const rewrap = (store: Keystore, next: MasterKey): Either<KmsFault, number> => {
  const { directory } = store;
  const files: Opened[] = [];
  for (const name of keyFilesIn(directory, wrappedFileName)) {
    const opened = read(store, next, name);
    if (isLeft(opened)) return opened;
    files.push(opened.right);
  }
  keepDeriveRoot(store, next);
  const open = files.filter(({ isDone }) => !isDone);
  for (const { file, name, plain } of open) {
    const content = { ...file, ...wrap(next, wrappedName(name, file), plain) };
    replaceKeyFile(directory, { id: name, name, content });
  }
  return right(open.length);
};
