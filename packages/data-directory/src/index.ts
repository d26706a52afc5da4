/** One process per data directory: a file naming the holder, stale as soon as that process is gone. */
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Either, isLeft, left, right } from 'fp-ts/Either';

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

/** This process, for others to look for. */
export const ownName = (): string => `${process.pid} ${startedAt(process.pid) ?? ''}`;

/** The process of that name; undefined when it is gone. */
export const runningAs = (name: string): number | undefined => {
  const [pid, started] = name.split(' ');
  const holder = Number(pid);
  if (!Number.isInteger(holder) || holder <= 0 || !alive(holder)) return undefined;
  const now = startedAt(holder);
  return now === undefined || now === started ? holder : undefined;
};

const nameIn = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};

const pathOf = (directory: string, name: string): string => join(directory, `${name}.lock`);

/** Whether somebody holds it now. Asked before every commit: that it is not there costs no error. */
export const isLocked = (directory: string, name: string): boolean => {
  const path = pathOf(directory, name);
  const holder = existsSync(path) ? nameIn(path) : undefined;
  return holder !== undefined && runningAs(holder) !== undefined;
};

/** Claims by hard link, which fails when the name is taken: the file is never seen half written. */
const claim = (path: string): boolean => {
  const own = `${path}.${process.pid}`;
  writeFileSync(own, ownName(), { mode: 0o600 });
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

/** One of all who find it stale: another one's would be removed by whoever comes late. Whoever is at it may die, too. */
const removeStale = (directory: string, name: string, held: string): void => {
  const removal = lockDirectory(directory, `${name}-${held.slice(0, 40).replaceAll(/\W/g, '-')}`);
  if (isLeft(removal)) return;
  if (nameIn(pathOf(directory, name)) === held) rmSync(pathOf(directory, name), { force: true });
  removal.right.release();
};

/** Left is the process id of the holder. */
export const lockDirectory = (directory: string, name: string): Either<number, Lock> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = pathOf(directory, name);
  for (;;) {
    if (claim(path)) return right({ release: () => rmSync(path, { force: true }) });
    const held = nameIn(path);
    // Released since: whoever claims it next is not to lose it.
    if (held === undefined) continue;
    const holder = runningAs(held);
    if (holder !== undefined) return left(holder);
    removeStale(directory, name, held);
  }
};
