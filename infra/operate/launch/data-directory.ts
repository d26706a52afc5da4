/** Makes the data directory, or explains in one sentence why it cannot be used. */
import { mkdirSync, mkdtempSync, rmdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from './operator-error';

const another = 'Name another one with --data DIR.';

const codeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of the path is a file',
  ELOOP: 'the path has a loop of symbolic links',
  ENAMETOOLONG: 'the path is too long',
};

const reasonOf = (error: unknown): string => reasons[codeOf(error)] ?? `the system answers ${codeOf(error)}`;

const make = (data: string): void => {
  try {
    mkdirSync(data, { recursive: true });
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    throw new OperatorError(`The data directory ${data} cannot be made: ${reasonOf(error)}. ${another}`);
  }
};

export const prepareDataDirectory = (data: string): void => {
  make(data);
  const found = statSync(data, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true)
    throw new OperatorError(`The data directory ${data} is a file, not a directory. ${another}`);
  try {
    // Permissions alone do not decide it: the file system may be read-only, or full.
    rmdirSync(mkdtempSync(join(data, '.writable-')));
  } catch (error) {
    throw new OperatorError(`The data directory ${data} cannot be written: ${reasonOf(error)}. ${another}`);
  }
};
