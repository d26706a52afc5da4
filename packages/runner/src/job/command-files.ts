/**
 * Files through which a step sets variables, outputs and search paths. They lie in the sandbox's directory, where hostile programs write:
 * each step gets new ones, which are read without following links or waiting for pipes.
 */
import { constants } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { type Either, left, right } from 'fp-ts/Either';

const longestFile = 1_048_576;

/** Makes a file that must not exist yet. `owner`: the user that programs run as, if this process may choose. */
export const writeNewFile = async (path: string, content: string, owner: number | undefined): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(content);
    if (owner !== undefined) await file.chown(owner, owner);
  } finally {
    await file.close();
  }
};

/** Left: what hinders. A file that the step has removed is empty. */
export const readCommandFile = async (path: string): Promise<Either<string, string>> => {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (!(await file.stat()).isFile()) return left('it is no longer a file');
      const bytes = Buffer.alloc(longestFile + 1);
      const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
      if (bytesRead > longestFile) return left(`it is longer than ${longestFile} bytes`);
      return right(bytes.subarray(0, bytesRead).toString('utf8'));
    } finally {
      await file.close();
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' ? right('') : left(`it cannot be read (${code ?? 'unknown'})`);
  }
};

export const removeFiles = async (paths: readonly string[]): Promise<void> => {
  await Promise.all(paths.map((path) => rm(path, { force: true, recursive: true }).catch(() => undefined)));
};

/** `name=value`, or `name<<END`, lines, and `END` alone. */
export const parseAssignments = (text: string): Either<string, readonly (readonly [name: string, value: string])[]> => {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const found: [string, string][] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    if (line.trim() === '') continue;
    const [equals, marker] = [line.indexOf('='), line.indexOf('<<')];
    if (equals > 0 && (marker < 0 || equals < marker)) {
      found.push([line.slice(0, equals), line.slice(equals + 1)]);
      continue;
    }
    const [name, delimiter] = [line.slice(0, Math.max(0, marker)), line.slice(marker + 2)];
    if (marker <= 0 || delimiter === '') return left(`Line ${index + 1} is neither name=value nor name<<END.`);
    const end = lines.indexOf(delimiter, index + 1);
    if (end < 0) return left(`The value of ${name.slice(0, 100)} has no end: a line with its delimiter is missing.`);
    found.push([name, lines.slice(index + 1, end).join('\n')]);
    index = end;
  }
  return right(found);
};

/** One directory a line; later ones come first in the search. */
export const parsePaths = (text: string): readonly string[] =>
  text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
