/** One process per data directory: a file naming the holder, stale as soon as that process is gone. */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, left, right } from 'fp-ts/Either';

export interface Lock {
  readonly release: () => void;
}

/** When the process started, so that a recycled process id is not mistaken for the holder. */
const startedAt = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  } catch {
    return undefined;
  }
};

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const holderOf = (path: string): number | undefined => {
  const [pid, started] = readFileSync(path, 'utf8').split(' ');
  const holder = Number(pid);
  if (!Number.isInteger(holder) || holder <= 0 || !alive(holder)) return undefined;
  const now = startedAt(holder);
  return now === undefined || now === started ? holder : undefined;
};

/** Claims by hard link, which fails when the name is taken: the file is never seen half written. */
const claim = (path: string): boolean => {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, `${process.pid} ${startedAt(process.pid) ?? ''}`, { mode: 0o600 });
  try {
    linkSync(own, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(own, { force: true });
  }
};

/** Left is the process id of the holder. */
export const lockDirectory = (directory: string, name: string): Either<number, Lock> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, `${name}.lock`);
  for (;;) {
    if (claim(path)) return right({ release: () => rmSync(path, { force: true }) });
    const holder = holderOf(path);
    if (holder !== undefined) return left(holder);
    rmSync(path, { force: true });
  }
};
