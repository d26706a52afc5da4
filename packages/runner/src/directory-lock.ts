/** One runner per directory: a file names the process that has it, by number and start, so that one that died locks nobody out. */
import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, integer, nullable, record } from '../../../domain/kernel/codec';

const Holder = record('RunnerLock', {
  pid: integer(1),
  /** Of the machine's start and the process: a number that is used again is another process. Null: the system does not say. */
  started: nullable(t.string),
  /** Of this lock: a process may open a directory again. */
  id: t.string,
});
type Holder = t.TypeOf<typeof Holder>;

const contentOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
};

/** From proc_pid_stat(5): what follows the name begins with field 3; the start is field 22. */
const startOf = (pid: number): string | null => {
  const stat = contentOf(`/proc/${pid}/stat`);
  const boot = contentOf('/proc/sys/kernel/random/boot_id');
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[19] === undefined || boot === undefined ? null : `${boot.trim()} ${fields[19]}`;
};

const isAlive = ({ pid, started }: Holder): boolean => {
  if (started !== null && startOf(pid) !== started) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const holderIn = (content: string | undefined): Holder | undefined => {
  if (content === undefined) return undefined;
  try {
    const decoded = decode(Holder, JSON.parse(content));
    return decoded._tag === 'Right' ? decoded.right : undefined;
  } catch {
    return undefined;
  }
};

/** Appears with its content. False: there is one. */
const placeLock = (fresh: string, path: string): boolean => {
  try {
    linkSync(fresh, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  }
};

/** Takes the lock of a process that died away, unless another runner has just done so and placed its own. */
const removeStale = (path: string, stale: string): void => {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (contentOf(aside) !== stale) placeLock(aside, path);
  rmSync(aside, { force: true });
};

const attempts = 5;

/** Left: who has the directory. Right: the function that lets it go. */
export const lockDirectory = (directory: string): Either<string, () => void> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'runner.lock');
  const own: Holder = { pid: process.pid, started: startOf(process.pid), id: randomUUID() };
  const fresh = `${path}.${own.id}`;
  writeFileSync(fresh, JSON.stringify(own), { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      if (placeLock(fresh, path))
        return right(() => {
          if (holderIn(contentOf(path))?.id === own.id) rmSync(path, { force: true });
        });
      const content = contentOf(path);
      const holder = holderIn(content);
      if (holder !== undefined && isAlive(holder))
        return left(`Another runner, process ${holder.pid}, uses ${directory}: name another directory.`);
      if (content !== undefined) removeStale(path, content);
    }
    return left(`The lock of ${directory} changes hands: try again.`);
  } finally {
    rmSync(fresh, { force: true });
  }
};
